package roll.cluster.nodes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.identity.Authority;
import roll.cluster.identity.AuthorityFile;
import roll.cluster.identity.Fingerprint;
import roll.cluster.identity.Identity;

/**
 * State of a run in {@code cluster/} of its output folder, which only its user can read.
 *
 * @param authority certificate authority of the run, which a resumed run keeps
 * @param epoch number of the start of the first node, from 1
 */
record ClusterStateFolder(Authority authority, long epoch) {
  static final String NAME = "cluster";
  private static final String KEY = "authority.pem";
  private static final String ADDRESS = "address";
  private static final String PLAIN = "plain ";
  private static final int SHORT = 12;
  private static final Set<PosixFilePermission> OWNER_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");

  /**
   * Reads the state of a run, and counts a start.
   *
   * @throws UserException if that fails
   */
  static ClusterStateFolder open(Path output) {
    Authority authority = authority(output);
    Path file = output.resolve(NAME).resolve("epoch");
    try {
      return new ClusterStateFolder(authority, count(file));
    } catch (IOException e) {
      throw new UserException(file + ": cannot be used: " + e, e);
    }
  }

  /**
   * Reads or creates the authority of a run, without counting a start.
   *
   * @throws UserException if that fails
   */
  static Authority authority(Path output) {
    Path folder = output.resolve(NAME);
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(output);
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_FOLDER));
      } else if (!OWNER_FOLDER.containsAll(Files.getPosixFilePermissions(folder))) {
        Files.setPosixFilePermissions(folder, OWNER_FOLDER);
      }
      return AuthorityFile.open(
          folder.resolve(KEY),
          output.toAbsolutePath().getFileName().toString().replaceAll("[^A-Za-z0-9-]", "-"));
    } catch (IOException e) {
      throw new UserException(folder + ": cannot be used: " + e, e);
    }
  }

  private static long count(Path file) throws IOException {
    long last = 0;
    if (Files.exists(file)) {
      String text = Files.readString(file).strip();
      try {
        last = Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new UserException(file + ": expected a number, found '" + text + "'", e);
      }
    }
    write(file, String.valueOf(last + 1));
    return last + 1;
  }

  /** Writes a cluster state file of one line atomically. */
  private static void write(Path file, String line) throws IOException {
    Path temporary =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            "." + file.getFileName(),
            ".new",
            PosixFilePermissions.asFileAttribute(OWNER_FILE));
    try {
      Files.writeString(temporary, line + "\n", StandardCharsets.US_ASCII);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /**
   * Stores the address of the first node for processes of the same user.
   *
   * @param address {@code host:port}; null deletes it
   */
  static void storeAddress(Path output, @Nullable String address, boolean plain) {
    Path file = output.resolve(NAME).resolve(ADDRESS);
    try {
      if (address == null) {
        Files.deleteIfExists(file);
      } else {
        write(file, (plain ? PLAIN : "") + address);
      }
    } catch (IOException e) {
      throw new UserException(file + ": cannot be used: " + e, e);
    }
  }

  /**
   * Address of a first node.
   *
   * @param text {@code host:port}
   * @param identity to present to it; null without TLS
   */
  record Address(String text, @Nullable Identity identity) {}

  /**
   * Reads the address of the first node of a run.
   *
   * @throws UserException if no first node listens, or the folder cannot be read
   */
  static Address address(Path output) {
    Path folder = output.resolve(NAME);
    Path file = folder.resolve(ADDRESS);
    try {
      String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
      return text.startsWith(PLAIN)
          ? new Address(text.substring(PLAIN.length()), null)
          : new Address(text, AuthorityFile.open(folder.resolve(KEY), "").identity("nodes"));
    } catch (NoSuchFileException e) {
      throw new UserException("no run that writes into " + output + " listens for nodes", e);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  /** Returns the name of the run among members, which differs from those of other runs. */
  String run() {
    byte[] fingerprint = Fingerprint.of(authority.certificate());
    return "roll-" + HexFormat.of().formatHex(fingerprint).substring(0, SHORT);
  }
}
