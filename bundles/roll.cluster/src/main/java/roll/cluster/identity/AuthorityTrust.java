package roll.cluster.identity;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trust manager for certificates of one authority. It does not verify host names: a node is
 * identified by its certificate and not by its address. As an extended trust manager it also keeps
 * clients from verifying them.
 */
public final class AuthorityTrust extends X509ExtendedTrustManager {
  private final byte[] fingerprint;
  private final @Nullable X509TrustManager known;

  private AuthorityTrust(byte[] fingerprint, @Nullable X509TrustManager known) {
    this.fingerprint = fingerprint;
    this.known = known;
  }

  static AuthorityTrust of(X509Certificate authority) throws GeneralSecurityException {
    return new AuthorityTrust(Fingerprint.of(authority), manager(authority));
  }

  private static X509TrustManager manager(X509Certificate authority)
      throws GeneralSecurityException {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("authority", authority);
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(trusted);
      return (X509TrustManager) factory.getTrustManagers()[0];
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  /**
   * Returns a context for a client that has no certificate yet and knows only the fingerprint of
   * the authority. The server must present a certificate of its own together with the authority's.
   *
   * @param fingerprint see {@link Fingerprint#of}
   */
  public static SSLContext context(byte[] fingerprint) {
    try {
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(null, new TrustManager[] {new AuthorityTrust(fingerprint.clone(), null)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private X509TrustManager manager(X509Certificate[] chain) throws CertificateException {
    if (known != null) {
      return known;
    }
    for (X509Certificate certificate : chain) {
      if (MessageDigest.isEqual(fingerprint, Fingerprint.of(certificate))) {
        try {
          return manager(certificate);
        } catch (GeneralSecurityException e) {
          throw new CertificateException(e);
        }
      }
    }
    throw new CertificateException("the server does not belong to the run of the token");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    manager(chain).checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    manager(chain).checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return known == null ? new X509Certificate[0] : known.getAcceptedIssuers();
  }
}
