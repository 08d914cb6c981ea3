package roll.runtime.page;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import roll.runtime.serving.ServedPlace;

/**
 * What is to be served, where and for whom.
 *
 * @param place where to listen; its key is the token that beyond loopback every request needs
 * @param folders below which runs are looked for, beside those of this system
 * @param readOnly whether nothing can be changed from the page
 * @param deploys whether jars can be deployed from the page
 * @param secret what the page proves by that an order is its own: while it is the same, a page that
 *     is open goes on when the server is started again
 */
public record PageOrder(
    ServedPlace place, List<Path> folders, boolean readOnly, boolean deploys, String secret) {
  private static final int SECRET_BYTES = 24;

  /** An order whose folders nobody changes. */
  public PageOrder {
    folders = List.copyOf(folders);
  }

  /** An order with a secret that nobody guesses. */
  public PageOrder(ServedPlace place, List<Path> folders, boolean readOnly, boolean deploys) {
    this(place, folders, readOnly, deploys, random());
  }

  /** 192 random bits, as hexadecimal digits. */
  public static String random() {
    byte[] bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The same at another port. */
  public PageOrder at(int port) {
    ServedPlace there =
        new ServedPlace(
            place.host(), port, place.key(), place.names(), place.certificate(), place.limits());
    return new PageOrder(there, folders, readOnly, deploys, secret);
  }

  /** Without what is secret. */
  @Override
  public String toString() {
    return place + " " + folders;
  }
}
