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
 * Certificate signing request in PKCS#10.
 *
 * @param node name of the node
 * @param key public key of the node, whose private key signed the request
 * @param bytes request in DER
 */
public record CertificateRequest(String node, PublicKey key, byte[] bytes) {
  private static final int CURVE = 256;

  /** Creates a request for the key of a node. */
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
   * Parses an untrusted request, and verifies that the sender has the key.
   *
   * @throws IllegalArgumentException if the bytes are malformed, the key is not on the curve P-256,
   *     or the signature is not of the key; the message is one line
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
      return new CertificateRequest(Identity.commonName(subject), key, bytes.clone());
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
