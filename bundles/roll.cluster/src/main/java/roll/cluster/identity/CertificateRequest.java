package roll.cluster.identity;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;

/**
 * Asks for a certificate, in PKCS#10.
 *
 * @param node the name of the node
 * @param key its public key, whose private key signed the request
 * @param bytes the request itself, in DER
 */
public record CertificateRequest(String node, PublicKey key, byte[] bytes) {
  private static final int CURVE = 256;

  /** A request for a node's key. */
  public static CertificateRequest of(String node, KeyPair key) {
    try {
      CertificationRequestInfo asked =
          new CertificationRequestInfo(
              X500Name.getInstance(new X500Principal("CN=" + node).getEncoded()),
              SubjectPublicKeyInfo.getInstance(key.getPublic().getEncoded()),
              null);
      byte[] bytes = new DERSequence(Signing.signed(asked, key.getPrivate())).getEncoded();
      return new CertificateRequest(node, key.getPublic(), bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * What a stranger sent, once it is certain that it has the key.
   *
   * @throws IllegalArgumentException if these bytes are no request, the key is not on the curve
   *     P-256, or the signature is not of the key; one line that says which
   */
  public static CertificateRequest read(byte[] bytes) {
    try {
      CertificationRequest request = CertificationRequest.getInstance(bytes);
      CertificationRequestInfo asked = request.getCertificationRequestInfo();
      PublicKey key = key(asked.getSubjectPublicKeyInfo());
      byte[] signed = asked.getEncoded(ASN1Encoding.DER);
      if (!request.getSignatureAlgorithm().equals(Signing.ALGORITHM)
          || !Signing.valid(signed, request.getSignature().getOctets(), key)) {
        throw new IllegalArgumentException("it is not signed with its key");
      }
      X500Principal subject = new X500Principal(asked.getSubject().getEncoded(ASN1Encoding.DER));
      return new CertificateRequest(CertificateNames.node(subject), key, bytes.clone());
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new IllegalArgumentException("no certificate request: " + e.getMessage(), e);
    }
  }

  private static PublicKey key(SubjectPublicKeyInfo info)
      throws IOException, GeneralSecurityException {
    PublicKey key =
        KeyFactory.getInstance("EC")
            .generatePublic(new X509EncodedKeySpec(info.getEncoded(ASN1Encoding.DER)));
    if (((ECPublicKey) key).getParams().getCurve().getField().getFieldSize() != CURVE) {
      throw new IllegalArgumentException("its key is not on the curve P-256");
    }
    return key;
  }
}
