package roll.cluster.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;

/**
 * Certificate authority of one run. Keys are on the curve P-256; certificates are valid for a year,
 * since runs end before that and a resumed run signs new ones.
 */
public final class Authority {
  private static final Duration VALIDITY = Duration.ofDays(366);

  /** Tolerance of certificates for the clocks of other machines. */
  private static final Duration CLOCK_SKEW = Duration.ofDays(2);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final PrivateKey key;
  private final X509Certificate certificate;

  Authority(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  /** Creates an authority for a run, whose name has letters, digits and dashes only. */
  public static Authority create(String run) {
    KeyPair pair = newKey();
    X500Principal name = new X500Principal("CN=roll authority,OU=" + run);
    try {
      ExtensionsGenerator may = new ExtensionsGenerator();
      may.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      may.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      return new Authority(
          pair.getPrivate(), certify(name, name, pair.getPublic(), may, pair.getPrivate()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Generates a key of the type that all nodes use. */
  public static KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Certificate that the nodes of the run trust. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** Private key of the authority, for {@link AuthorityFile}. */
  PrivateKey key() {
    return key;
  }

  /** Creates an identity with a new key for a node of this process. */
  public Identity identity(String node) {
    KeyPair pair = newKey();
    return new Identity(pair.getPrivate(), certify(pair.getPublic(), node), certificate);
  }

  /** Signs the key and the node name of a request; its other fields are ignored. */
  public X509Certificate sign(CertificateRequest request) {
    return certify(request.key(), request.node());
  }

  private X509Certificate certify(PublicKey of, String node) {
    try {
      ExtensionsGenerator may = new ExtensionsGenerator();
      may.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      may.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      may.addExtension(
          Extension.extendedKeyUsage,
          false,
          new ExtendedKeyUsage(
              new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
      X500Principal subject = new X500Principal("CN=" + node);
      return certify(certificate.getSubjectX500Principal(), subject, of, may, key);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509Certificate certify(
      X500Principal issuer,
      X500Principal subject,
      PublicKey of,
      ExtensionsGenerator may,
      PrivateKey key)
      throws IOException {
    Instant now = Instant.now();
    V3TBSCertificateGenerator generator = new V3TBSCertificateGenerator();
    generator.setSerialNumber(new ASN1Integer(new BigInteger(126, RANDOM).setBit(126)));
    generator.setSignature(Signing.ALGORITHM);
    generator.setIssuer(X500Name.getInstance(issuer.getEncoded()));
    generator.setStartDate(new Time(Date.from(now.minus(CLOCK_SKEW))));
    generator.setEndDate(new Time(Date.from(now.plus(VALIDITY))));
    generator.setSubject(X500Name.getInstance(subject.getEncoded()));
    generator.setSubjectPublicKeyInfo(SubjectPublicKeyInfo.getInstance(of.getEncoded()));
    generator.setExtensions(may.generate());
    TBSCertificate unsigned = generator.generateTBSCertificate();
    byte[] bytes = new DERSequence(Signing.signed(unsigned, key)).getEncoded();
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
