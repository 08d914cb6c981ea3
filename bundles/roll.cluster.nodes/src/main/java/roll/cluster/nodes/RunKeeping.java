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
 * What a run keeps in {@code cluster/} of its output folder, for its user alone: by which authority
 * its nodes know it, and how often its first node has started.
 *
 * @param authority of the run, the same when it is resumed
 * @param epoch 1 at the first start, one more with each
 */
record RunKeeping(Authority authority, long epoch) {
  static final String FOLDER = "cluster";
  private static final String KEY = "authority.pem";
  private static final String ADDRESS = "address";
  private static final String PLAIN = "plain ";
  private static final int SHORT = 12;
  private static final Set<PosixFilePermission> OWN_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OWN_FILE =
      PosixFilePermissions.fromString("rw-------");

  /**
   * Opens what is there and counts the start.
   *
   * @throws UserException if it cannot be used
   */
  static RunKeeping open(Path output) {
    Path folder = output.resolve(FOLDER);
    Authority authority = authority(output);
    try {
      return new RunKeeping(authority, count(folder.resolve("epoch")));
    } catch (IOException e) {
      throw new UserException(folder + ": " + e.getMessage(), e);
    }
  }

  /**
   * The authority that is there, or a new one; no start is counted.
   *
   * @throws UserException if it cannot be used
   */
  static Authority authority(Path output) {
    Path folder = output.resolve(FOLDER);
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(output);
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWN_FOLDER));
      } else if (!OWN_FOLDER.containsAll(Files.getPosixFilePermissions(folder))) {
        Files.setPosixFilePermissions(folder, OWN_FOLDER);
      }
      return AuthorityFile.open(
          folder.resolve(KEY),
          output.toAbsolutePath().getFileName().toString().replaceAll("[^A-Za-z0-9-]", "-"));
    } catch (IOException e) {
      throw new UserException(folder + ": " + e.getMessage(), e);
    }
  }

  private static long count(Path file) throws IOException {
    long before = 0;
    if (Files.exists(file)) {
      String text = Files.readString(file).strip();
      try {
        before = Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new UserException(file + ": expected a number, found '" + text + "'", e);
      }
    }
    write(file, String.valueOf(before + 1));
    return before + 1;
  }

  /** One line, all of it or nothing, for its user alone. */
  private static void write(Path file, String line) throws IOException {
    Path beside =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            "." + file.getFileName(),
            ".new",
            PosixFilePermissions.asFileAttribute(OWN_FILE));
    try {
      Files.writeString(beside, line + "\n", StandardCharsets.US_ASCII);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  /**
   * Notes where the first node listens, for processes of the same user; {@link #address} finds it.
   *
   * @param address as a person writes it, or null when it listens no more
   */
  static void note(Path output, @Nullable String address, boolean plain) {
    Path file = output.resolve(FOLDER).resolve(ADDRESS);
    try {
      if (address == null) {
        Files.deleteIfExists(file);
      } else {
        write(file, (plain ? PLAIN : "") + address);
      }
    } catch (IOException e) {
      throw new UserException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * A client of the run that writes into {@code output}.
   *
   * @param identity that it shows; null in the clear
   */
  record Address(String at, @Nullable Identity identity) {}

  /**
   * Where the run listens that writes into {@code output}, and as whom to ask there.
   *
   * @throws UserException if none does, or the folder cannot be read
   */
  static Address address(Path output) {
    Path folder = output.resolve(FOLDER);
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

  /** The name by which nodes of the run are told from those of others. */
  String run() {
    byte[] fingerprint = Fingerprint.of(authority.certificate());
    return "roll-" + HexFormat.of().formatHex(fingerprint).substring(0, SHORT);
  }
}
