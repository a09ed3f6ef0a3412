{{- define "corridor.name" -}}
{{- if contains .Chart.Name .Release.Name -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "corridor.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "corridor.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .service }}
{{- end -}}

{{- /* Not empty for the service that has the keys, where one node alone holds their volume. */ -}}
{{- define "corridor.isTiedToNode" -}}
{{- if and (eq .service "auth") (ne .root.Values.keys.accessMode "ReadWriteMany") -}}true{{- end -}}
{{- end -}}

{{- define "corridor.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}{{ .Values.serviceAccount.name | default (include "corridor.name" .) }}
{{- else -}}{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{- define "corridor.keysClaim" -}}
{{ .Values.keys.existingClaim | default (printf "%s-keys" (include "corridor.name" .)) }}
{{- end -}}

{{- /* What every container is told. The image's own CORRIDOR_LISTEN_HOSTS would win over corridor.yaml. */ -}}
{{- define "corridor.environment" -}}
- name: CORRIDOR_CONFIG
  value: /etc/corridor/corridor.yaml
- name: CORRIDOR_DATABASE_URL_FILE
  value: /run/secrets/corridor/database-url
- name: CORRIDOR_AUTH_KEY_DIRECTORY
  value: /var/lib/corridor/keys
- name: CORRIDOR_LISTEN_HOSTS
  value: {{ join "," .Values.config.listen.hosts | quote }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* In the order of their ports. */ -}}
{{- define "corridor.channels" -}}adt oru orm mdm qbp rde siu mfn{{- end -}}

{{- /* Channel and port a line: where corridor.yaml listens, of the channels that the values name. */ -}}
{{- define "corridor.mllpPorts" -}}
{{- $bridge := .Values.config.bridge | default dict -}}
{{- $mllp := .Values.services.bridge.mllp -}}
{{- $all := include "corridor.channels" . | splitList " " -}}
{{- range $channel := $mllp.channels -}}
{{- if not (has $channel $all) -}}{{- fail (printf "services.bridge.mllp.channels: %s is none of %s" $channel (join ", " $all)) -}}{{- end -}}
{{- end -}}
{{- range $index, $channel := $all -}}
{{- $own := dig "channels" $channel dict $bridge -}}
{{- if and (has $channel $mllp.channels) (dig "enabled" true $own) }}
{{ $channel }}: {{ $own.port | default (add ($bridge.mllpPort | default $mllp.port) $index) | int }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "corridor.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "corridor.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- /* corridor.yaml: what the chart knows, and over it what the values say. */ -}}
{{- define "corridor.configuration" -}}
{{- $name := include "corridor.name" . -}}
{{- $own := dict "mode" "production" -}}
{{- range $service, $of := .Values.services -}}
{{- $url := printf "http://%s-%s:%v%s" $name $service $of.port (eq $service "fhir" | ternary "/fhir" "") -}}
{{- $_ := set $own $service (dict "port" $of.port "url" $url) -}}
{{- end -}}
{{- $mllp := .Values.services.bridge.mllp -}}
{{- $channels := dict -}}
{{- range $channel := include "corridor.channels" . | splitList " " -}}
{{- if not (has $channel $mllp.channels) -}}{{- $_ := set $channels $channel (dict "enabled" false) -}}{{- end -}}
{{- end -}}
{{- $_ := set $own.bridge "mllpPort" $mllp.port -}}
{{- $_ := set $own.bridge "channels" $channels -}}
{{- $accounts := list -}}
{{- range $account := list "bridge" "consent" "referral" -}}
{{- $id := printf "svc-%s" $account -}}
{{- $scope := eq $account "consent" | ternary "system/Consent.cruds system/AuditEvent.cs system/Organization.rs system/Patient.rs" "system/*.read system/*.write" -}}
{{- $accounts = append $accounts (dict "clientId" $id "roles" (list "SYSTEM") "scope" $scope "isFirstParty" true "grantTypes" (list "client_credentials") "authMethods" (list "client_secret_basic" "client_secret_post") "clientSecretFile" (printf "/run/secrets/corridor/%s" $id)) -}}
{{- end -}}
{{- $app := dict "clientId" "immunization-app" "clientName" "Immunizations" "isFirstParty" true "redirectUris" (list (printf "%s/callback" .Values.config.immunization.url)) "launchUri" (printf "%s/launch" .Values.config.immunization.url) "scope" "openid fhirUser profile launch launch/patient launch/encounter offline_access online_access patient/*.cruds" -}}
{{- /* A list in `config` would take the place of the whole one, and nobody could call anybody. */ -}}
{{- range $key := list "clients" "clientsFile" -}}
{{- if dig "auth" $key "" $.Values.config -}}{{- fail (printf "config.auth.%s would leave out the accounts of the services: name clients in `clients`" $key) -}}{{- end -}}
{{- end -}}
{{- $_ := set $own.auth "clients" (concat $accounts (list $app) .Values.clients) -}}
{{- mergeOverwrite $own .Values.config | toYaml -}}
{{- end -}}
