package roll.core.checkpoint;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import roll.api.option.PlainFile;
import roll.api.option.UserException;

/**
 * The format of a checkpoint and its files with their sizes and checksums, {@code
 * trainer/files.json}: whether it can be read, and is still as it was written, is known before
 * anything of it is used.
 */
final class CheckpointManifest {
  static final String NAME = "trainer/files.json";

  /** Raised by a change of any file of a checkpoint that former versions of roll would misread. */
  static final int FORMAT = 1;

  private static final int CHUNK = 1 << 20;

  private CheckpointManifest() {}

  /** Size and CRC-32C of a file, the latter as eight hexadecimal digits. */
  record Sum(long bytes, String crc32c) {}

  /**
   * The manifest.
   *
   * @param format of the checkpoint; 0 where it was written before formats had numbers, as 1
   * @param files all sums by the file's path below the checkpoint, with slashes
   */
  record Sums(int format, Map<String, Sum> files) {}

  /** The part of a manifest that every format has. */
  private record Format(int format) {}

  /** Reads every file of {@code checkpoint} and writes the manifest. */
  static void write(Path checkpoint) throws IOException {
    Map<String, Sum> sums = new TreeMap<>();
    try (Stream<Path> files = Files.walk(checkpoint)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sums.put(checkpoint.relativize(file).toString().replace('\\', '/'), sum(file));
      }
    }
    sums.remove(NAME);
    String text =
        new GsonBuilder().setPrettyPrinting().create().toJson(new Sums(FORMAT, sums)) + "\n";
    Files.writeString(checkpoint.resolve(NAME), text);
  }

  private static Sum sum(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    long bytes = 0;
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
      while (channel.read(chunk) >= 0) {
        bytes += chunk.flip().remaining();
        crc.update(chunk);
        chunk.clear();
      }
    }
    return new Sum(bytes, "%08x".formatted(crc.getValue()));
  }

  /**
   * Checks that {@code checkpoint} was not written in a newer format than this code reads; one
   * without a readable manifest passes.
   *
   * @throws UserException naming both formats
   */
  static void requireKnown(Path checkpoint) throws IOException {
    Path manifest = checkpoint.resolve(NAME);
    if (!Files.isRegularFile(manifest)) {
      return;
    }
    try {
      @Nullable Format found = new Gson().fromJson(PlainFile.text(manifest), Format.class);
      if (found != null && found.format() > FORMAT) {
        throw new UserException(
            "resume_from_checkpoint: %s has format %d, and this version of roll reads formats up to %d: resume with the version that wrote it, or a newer one"
                .formatted(checkpoint, found.format(), FORMAT));
      }
    } catch (JsonParseException e) {
      // damaged, which problem() says
    }
  }

  /**
   * Returns the first problem of the files of {@code checkpoint}, or null if it is intact. A
   * checkpoint without manifest, or with one that does not list the pipeline's state, counts as
   * damaged.
   */
  static @Nullable String problem(Path checkpoint) throws IOException {
    Path manifest = checkpoint.resolve(NAME);
    for (String needed : List.of(PipelineState.FILE, NAME)) {
      if (!Files.isRegularFile(checkpoint.resolve(needed))) {
        return needed + " is missing";
      }
    }
    try {
      Map<String, Sum> written = read(manifest);
      return written != null && written.containsKey(PipelineState.FILE)
          ? problem(checkpoint, written)
          : NAME + " is damaged";
    } catch (IOException | InvalidPathException e) {
      return "it cannot be read (" + e + ")";
    }
  }

  private static @Nullable String problem(Path checkpoint, Map<String, Sum> sums)
      throws IOException {
    for (var entry : sums.entrySet()) {
      Path file = checkpoint.resolve(entry.getKey());
      Sum written = entry.getValue();
      if (!Files.isRegularFile(file)) {
        return entry.getKey() + " is missing";
      }
      if (Files.size(file) != written.bytes()) {
        return "%s has %d bytes, %d were written"
            .formatted(entry.getKey(), Files.size(file), written.bytes());
      }
      if (!sum(file).equals(written)) {
        return entry.getKey() + " has other bytes than were written";
      }
    }
    return null;
  }

  /** Returns the recorded checksums, or null if the manifest is damaged. */
  private static @Nullable Map<String, Sum> read(Path manifest) throws IOException {
    try {
      @Nullable Sums sums =
          new GsonBuilder().create().fromJson(PlainFile.text(manifest), Sums.class);
      if (sums != null
          && sums.format() >= 0
          && sums.files() != null
          && !sums.files().containsValue(null)) {
        return sums.files();
      }
    } catch (JsonParseException e) {
      // said below
    }
    return null;
  }
}
