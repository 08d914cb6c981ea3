package roll.runtime.page;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import roll.runtime.serving.ListenSettings;

/**
 * Settings of the live page.
 *
 * @param place address and limits; its key is the token that requests from other hosts need
 * @param folders that are searched for runs, in addition to the runs of this process
 * @param readOnly whether the page cannot change anything
 * @param deploys whether jars can be deployed from the page
 * @param secret authenticates requests of the page; with the same secret an open page continues
 *     after the server was restarted
 */
public record PageSettings(
    ListenSettings place, List<Path> folders, boolean readOnly, boolean deploys, String secret) {
  private static final int SECRET_BYTES = 24;

  /** Creates the page settings with immutable copies of the folders. */
  public PageSettings {
    folders = List.copyOf(folders);
  }

  /** Creates settings with a random secret. */
  public PageSettings(ListenSettings place, List<Path> folders, boolean readOnly, boolean deploys) {
    this(place, folders, readOnly, deploys, random());
  }

  /** Returns 192 random bits, as hexadecimal digits. */
  public static String random() {
    byte[] bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns the same settings with another port. */
  public PageSettings at(int port) {
    ListenSettings there =
        new ListenSettings(
            place.host(), port, place.key(), place.names(), place.certificate(), place.limits());
    return new PageSettings(there, folders, readOnly, deploys, secret);
  }

  /** Describes the settings without their secrets. */
  @Override
  public String toString() {
    return place + " " + folders;
  }
}
