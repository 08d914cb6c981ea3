package roll.cluster.nodes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import roll.api.option.UserException;
import roll.cluster.identity.Authority;
import roll.cluster.identity.AuthorityFile;
import roll.cluster.identity.Fingerprint;

/**
 * What a run keeps in {@code cluster/} of its output folder, for its user alone: by which authority
 * its nodes know it, and how often its first node has started.
 *
 * @param authority of the run, the same when it is resumed
 * @param epoch 1 at the first start, one more with each
 */
record RunKeeping(Authority authority, long epoch) {
  static final String FOLDER = "cluster";
  private static final int SHORT = 12;

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
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      return AuthorityFile.open(
          folder.resolve("authority.pem"),
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
    Path beside = file.resolveSibling("epoch.new");
    Files.writeString(beside, (before + 1) + "\n", StandardCharsets.US_ASCII);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    return before + 1;
  }

  /** The name by which nodes of the run are told from those of others. */
  String run() {
    byte[] fingerprint = Fingerprint.of(authority.certificate());
    return "roll-" + HexFormat.of().formatHex(fingerprint).substring(0, SHORT);
  }
}
