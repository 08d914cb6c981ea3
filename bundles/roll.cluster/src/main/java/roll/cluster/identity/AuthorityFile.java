package roll.cluster.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import roll.api.option.UserException;

/**
 * File with the authority of a run, which only its owner can read. With it, nodes trust the run
 * again after it is resumed.
 */
public final class AuthorityFile {
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");
  private static final long MAX_BYTES = 64 << 10;

  private AuthorityFile() {}

  /**
   * Reads the authority in {@code file}; creates the file with a new authority if it does not
   * exist.
   *
   * @throws UserException if the file is malformed, or other users may read it
   * @throws IOException if it cannot be read or written
   */
  public static Authority open(Path file, String run) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return read(file);
    }
    Authority authority = Authority.create(run);
    byte[] text =
        (PemText.of(authority.key()) + PemText.of(authority.certificate()))
            .getBytes(StandardCharsets.US_ASCII);
    Path beside =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            ".authority",
            ".pem",
            PosixFilePermissions.asFileAttribute(OWNER));
    try {
      Files.write(beside, text, StandardOpenOption.WRITE);
      Files.createLink(file, beside); // fails if another process has created it
    } finally {
      Files.delete(beside);
    }
    return authority;
  }

  private static Authority read(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_BYTES) {
      throw new UserException(file + ": is not the authority of a run");
    }
    Set<PosixFilePermission> may = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
    if (!OWNER.containsAll(may)) {
      throw new UserException(
          file
              + ": has the key of the run's nodes, but others may read it: chmod 600, or delete"
              + " it");
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    try {
      return new Authority(
          PemText.key(text), PemText.certificate(text.substring(text.indexOf("-----BEGIN CERT"))));
    } catch (RuntimeException e) {
      throw new UserException(file + ": is not the authority of a run: " + e.getMessage(), e);
    }
  }
}
