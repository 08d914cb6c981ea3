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
 * Signs the certificates of one run's nodes. Keys are on the curve P-256; certificates hold for a
 * year, since runs end before that and a run that is resumed signs new ones.
 */
public final class Authority {
  private static final Duration HOLDS = Duration.ofDays(366);

  /** Clocks of machines differ. */
  private static final Duration BEFORE = Duration.ofDays(2);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final PrivateKey key;
  private final X509Certificate certificate;

  Authority(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  /** A new authority, for the run of this name: letters, digits and dashes. */
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

  /** A new key of the kind that all nodes have. */
  public static KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The certificate that nodes of the run trust. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** The key, for {@link AuthorityFile}. */
  PrivateKey key() {
    return key;
  }

  /** An identity for a node of this process, with a new key. */
  public Identity identity(String node) {
    KeyPair pair = newKey();
    return new Identity(pair.getPrivate(), certify(pair.getPublic(), node), certificate);
  }

  /**
   * The certificate for a request: for the key and the node in it, whatever else it asks for.
   *
   * @throws IllegalArgumentException if the request is none, was not signed with its key, or names
   *     no node; the message says which
   */
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
    generator.setStartDate(new Time(Date.from(now.minus(BEFORE))));
    generator.setEndDate(new Time(Date.from(now.plus(HOLDS))));
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
