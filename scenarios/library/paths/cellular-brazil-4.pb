
geotrain learned path°
ibox†×÷€ÑÊãV €”ëÜ*ğîXÑâÒSAƒµ×vpPAq)Éuë?A|Ca›¬+A	Úå&ùæ8Aby(ä‰5AéJ—z×>AAM°ë!+AÀ\H}p,A•ÑÉ	Øô;Asv>~¼EAn¢ôvRÀ"AÀk|$ç=AÎQQ„j88Alåë©0¦%AÿîZåº	0AdT™Õ^5A/h²‚"3AÉª£³p )AGƒ–©¯6AÀk|$çMAR*ç¿ù0AUÛ‰Oó’GAöI•fÿEA–(4çŸÆIAİcÃyAAÕrï§1Aáò5A[vÑÿ©?AßŞVA
€Â×/ÀÃ“"’
network-profile-1.json
network-profile-2.json
network-profile-3.json
network-profile-4.json
network-profile-5.json
network-profile-6.json%qZÃ