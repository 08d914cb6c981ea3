package roll.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.option.PlainFile;
import roll.api.option.UserException;

/** Reads a certificate and its private key from PEM files. */
final class Pem {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]*)-----END PRIVATE KEY-----");

  /** Signature algorithm by type of key. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  private Pem() {}

  /**
   * Returns a key store with the certificate and its key, under an empty password.
   *
   * @throws UserException if a file is invalid, or the key is not that of the certificate
   */
  static KeyStore read(PemFiles files) {
    Certificate[] chain = chain(files.chain());
    PublicKey open = chain[0].getPublicKey();
    PrivateKey key = key(files.key(), open.getAlgorithm());
    try {
      if (!belong(key, open)) {
        throw new UserException(
            files.key() + ": is not the key of the certificate in " + files.chain());
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("server", key, new char[0], chain);
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new UserException(files.chain() + ": cannot be used: " + e.getMessage(), e);
    }
  }

  private static Certificate[] chain(Path file) {
    try (InputStream in = Files.newInputStream(PlainFile.require(file))) {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      Certificate[] chain = all.toArray(Certificate[]::new);
      if (chain.length > 0 && chain[0] instanceof X509Certificate own) {
        own.checkValidity();
        return chain;
      }
      throw new UserException(file + ": has no certificate; expected PEM");
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + e.getMessage(), e);
    } catch (CertificateException e) {
      throw new UserException(file + ": is no valid certificate: " + e.getMessage(), e);
    }
  }

  private static PrivateKey key(Path file, String algorithm) {
    try {
      Matcher pem = KEY.matcher(PlainFile.text(file));
      if (!pem.find()) {
        throw new UserException(
            file
                + ": has no 'BEGIN PRIVATE KEY'; expected PKCS#8 without a password, as"
                + " 'openssl pkcs8 -topk8 -nodes' writes it");
      }
      byte[] bytes = Base64.getMimeDecoder().decode(pem.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read: " + e.getMessage(), e);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new UserException(file + ": is no private key of the kind " + algorithm, e);
    }
  }

  /** Returns whether a signature by {@code key} is valid for {@code open}. */
  private static boolean belong(PrivateKey key, PublicKey open) throws GeneralSecurityException {
    Signature signature =
        Signature.getInstance(SIGNATURES.getOrDefault(open.getAlgorithm(), "SHA256withRSA"));
    byte[] text = {1, 2, 3};
    signature.initSign(key);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(open);
    signature.update(text);
    return signature.verify(signed);
  }
}
