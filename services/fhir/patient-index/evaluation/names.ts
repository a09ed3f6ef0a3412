/** Names for made-up people, the commoner first. No list of real people lies behind them. */
export const families = split(`
  Diallo Traore Mensah Okafor Mwangi Kamau Otieno Abdi Hassan Ali Mohamed Ibrahim Ahmed Khan Singh Kumar Sharma Patel
  Nguyen Tran Le Pham Wang Li Zhang Chen Kim Park Tanaka Sato Smith Jones Brown Wilson Taylor Johnson Williams Garcia
  Martinez Lopez Gonzalez Rodriguez Fernandez Silva Santos Oliveira Souza Müller Schmidt Weber Fischer Meyer Becker
  Dubois Martin Bernard Petit Moreau Rossi Bianchi Ricci Ivanov Petrov Sokolov Kowalski Nowak Novák Horváth Nagy
  Yılmaz Demir Kaya Çelik Cohen Levi Mizrahi Haddad Khoury Nasser Mansour Saleh Osman Yusuf Adan Warsame Tesfaye
  Bekele Alemu Girma Banda Phiri Mwale Zulu Dlamini Nkosi Ndlovu Moyo Sibanda Ncube Chanda Mulenga Asante Owusu Boateng
  Agyeman Adeyemi Balogun Eze Nwosu Obi Chukwu Abubakar Sow Ndiaye Diop Fall Keita Camara Bah Barry Touré Coulibaly`)

export const givens = {
  female: split(`
    Amina Fatima Aisha Mariam Khadija Zainab Grace Mary Sarah Elizabeth Ruth Esther Anna Maria Sofia Isabella Camila
    Lucía Valentina Ana Julia Laura Emma Léa Chloé Manon Hannah Lena Marie Olga Elena Irina Natalia Katarzyna Zofia
    Priya Ananya Divya Lakshmi Sunita Mei Yan Xiu Hana Yuki Sakura Linh Thu Wanjiku Akinyi Njeri Achieng Adaeze Ngozi
    Chiamaka Abena Akosua Ama Efua Thandiwe Nomsa Zanele Rutendo Tsion Selam Hiwot Leila Noor Salma Yasmin Miriam`),
  male: split(`
    Mohamed Ahmed Ali Hassan Ibrahim Omar Yusuf Abdullah John James Peter David Joseph Samuel Daniel Michael Paul José
    Juan Carlos Luis Miguel Pedro João Antônio Francisco Pierre Jean Luc Antoine Hans Karl Jürgen Lukas Ivan Dmitri
    Sergei Piotr Jan Tomáš Raj Amit Sanjay Arjun Vikram Wei Jun Hiroshi Kenji Takeshi Minh Tuan Kamau Otieno Mwangi
    Kofi Kwame Kwabena Yaw Emeka Chinedu Tunde Sipho Thabo Tendai Tesfaye Abebe Mamadou Ousmane Cheikh Moussa Karim`),
}

function split(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
