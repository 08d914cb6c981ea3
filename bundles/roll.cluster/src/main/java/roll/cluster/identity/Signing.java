package roll.cluster.identity;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;

/** ECDSA signatures with SHA-256 of structures in DER. */
final class Signing {
  /** Algorithm identifier of ECDSA with SHA-256 (RFC 5758, section 3.2). */
  static final AlgorithmIdentifier ALGORITHM =
      new AlgorithmIdentifier(new ASN1ObjectIdentifier("1.2.840.10045.4.3.2"));

  private static final String NAME = "SHA256withECDSA";

  private Signing() {}

  /** Returns the SIGNED type of X.509 and PKCS#10: structure, algorithm, signature. */
  static ASN1Encodable[] signed(ASN1Encodable structure, PrivateKey key) throws IOException {
    try {
      Signature signature = Signature.getInstance(NAME);
      signature.initSign(key);
      signature.update(structure.toASN1Primitive().getEncoded(ASN1Encoding.DER));
      return new ASN1Encodable[] {structure, ALGORITHM, new DERBitString(signature.sign())};
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether {@code signature} is the signature of {@code bytes} with {@code key}. */
  static boolean valid(byte[] bytes, byte[] signature, PublicKey key)
      throws GeneralSecurityException {
    Signature verifier = Signature.getInstance(NAME);
    verifier.initVerify(key);
    verifier.update(bytes);
    return verifier.verify(signature);
  }
}
