package roll.cluster.identity;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.security.auth.x500.X500Principal;

/**
 * Credentials of a node for all TLS connections of a run: a private key, its certificate, and the
 * certificate authority of the run, which is the only trusted one. Thread-safe.
 */
public final class Identity {
  private static final String ALIAS = "node";
  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final String[] CIPHERS = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"};

  private final X509Certificate certificate;
  private final X509Certificate authority;
  private final SSLContext context;

  /**
   * Creates an identity.
   *
   * @param certificate certificate of the key, signed by the authority
   * @throws IllegalArgumentException if the authority did not sign the certificate
   */
  public Identity(PrivateKey key, X509Certificate certificate, X509Certificate authority) {

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

  /** Name of the node in its certificate. */
  public String node() {
    return node(certificate);
  }

  /** Returns the name of the node in a certificate; empty if there is none. */
  public static String node(X509Certificate certificate) {
    return commonName(certificate.getSubjectX500Principal());
  }

  /** Returns the CN of a subject; empty if there is none. */
  static String commonName(X500Principal subject) {
    try {
      return new LdapName(subject.getName())
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .map(part -> String.valueOf(part.getValue()))
              .findFirst()
              .orElse("");
    } catch (InvalidNameException e) {
      return "";
    }
  }

  /**
   * Context for client and server sockets that presents this node's certificate and trusts the
   * authority of the run only. Set {@link #parameters} on each socket: they require a certificate
   * of the client.
   */
  public SSLContext context() {
    return context;
  }

  /**
   * Returns new parameters: TLS 1.3 only, clients need a certificate, and host names are not
   * verified, since a node is identified by its certificate and not by its address.
   */
  public SSLParameters parameters() {
    SSLParameters parameters = context.getDefaultSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setCipherSuites(CIPHERS);
    parameters.setNeedClientAuth(true);
    parameters.setEndpointIdentificationAlgorithm(null);
    return parameters;
  }

  /** Returns a configured engine for one side of a connection. */
  public SSLEngine engine(boolean client) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(client);
    engine.setSSLParameters(parameters());
    return engine;
  }

  /** Certificate of this node. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** Certificate of the authority of the run. */
  public X509Certificate authority() {
    return authority;
  }
}
