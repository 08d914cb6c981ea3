package roll.cluster.services;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** SHA-256 digests of files, cached while size and time of a file are unchanged. Thread-safe. */
public final class FileDigests {
  private record Seen(long size, FileTime time, String digest) {}

  private final Map<Path, Seen> seen = new ConcurrentHashMap<>();

  /** Returns the SHA-256 of {@code file} in hexadecimal digits. */
  public String of(Path file) throws IOException {
    Path path = file.toRealPath();
    long size = Files.size(path);
    FileTime time = Files.getLastModifiedTime(path);
    Seen before = seen.get(path);
    if (before != null && before.size == size && before.time.equals(time)) {
      return before.digest;
    }
    String digest = digest(path);
    seen.put(path, new Seen(size, time, digest));
    return digest;
  }

  /** Returns the first half of the SHA-256 of several texts: 32 hexadecimal digits. */
  public static String of(List<String> texts) {
    MessageDigest digest = sha256();
    texts.forEach(text -> digest.update((text + "\n").getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest(), 0, 16);
  }

  private static String digest(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = sha256();
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
      return HexFormat.of().formatHex(digest.digest());
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
