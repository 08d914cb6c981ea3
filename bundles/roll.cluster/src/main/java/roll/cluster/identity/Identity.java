package roll.cluster.identity;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * Who a node is to the others of its run: a key, its certificate, and the authority of the run,
 * which it trusts and nobody else. For every connection of a run: membership, weights, collectives.
 * Can be used by all threads.
 */
public final class Identity {
  private static final String ALIAS = "node";
  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final String[] CIPHERS = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};

  private final PrivateKey key;
  private final X509Certificate certificate;
  private final X509Certificate authority;
  private final SSLContext context;

  /**
   * The identity with this key.
   *
   * @param certificate of the key, signed by the authority
   * @throws IllegalArgumentException if they do not belong together
   */
  public Identity(PrivateKey key, X509Certificate certificate, X509Certificate authority) {
    this.key = key;
    this.certificate = certificate;
    this.authority = authority;
    try {
      certificate.verify(authority.getPublicKey());
      this.context = context(key, certificate, authority);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException("the certificate cannot be used: " + e.getMessage(), e);
    }
  }

  private static SSLContext context(
      PrivateKey key, X509Certificate certificate, X509Certificate authority)
      throws GeneralSecurityException, IOException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(ALIAS, key, new char[0], new Certificate[] {certificate, authority});
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, new char[0]);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(own.getKeyManagers(), new TrustManager[] {AuthorityTrust.of(authority)}, null);
    return context;
  }

  /** The name of the node, as its certificate has it. */
  public String node() {
    return node(certificate);
  }

  /** The name of the node that a certificate is of; empty if it names none. */
  public static String node(X509Certificate certificate) {
    return CertificateNames.node(certificate.getSubjectX500Principal());
  }

  /**
   * For sockets and engines of both sides that present this node's certificate and trust the run's
   * authority alone. {@link #parameters} must be set on each: they ask the client for its
   * certificate.
   */
  public SSLContext context() {
    return context;
  }

  /**
   * TLS 1.3 and nothing older; clients must have a certificate; host names are not compared, since
   * a node is known by its certificate and not by where it is. A new object for each call.
   */
  public SSLParameters parameters() {
    SSLParameters parameters = context.getDefaultSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setCipherSuites(CIPHERS);
    parameters.setNeedClientAuth(true);
    parameters.setEndpointIdentificationAlgorithm(null);
    return parameters;
  }

  /** An engine of one side of a connection, ready to be used. */
  public SSLEngine engine(boolean client) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(client);
    engine.setSSLParameters(parameters());
    return engine;
  }

  /** The certificate of this node. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** The authority of the run. */
  public X509Certificate authority() {
    return authority;
  }

  /**
   * The private key. Whoever has it is this node: it must not leave the process, except into a file
   * that only its user can read.
   */
  public PrivateKey key() {
    return key;
  }
}
