package roll.parallel.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files with the offloaded state of a rank. Their names contain host, process id, and start
 * time of the process: {@code roll-offload-<host>.<process>.<milliseconds>.<n>.f32}. Files of
 * killed processes are recognized and deleted.
 */
public final class OffloadFiles {
  private static final String PREFIX = "roll-offload-";

  private OffloadFiles() {}

  /**
   * Creates a file of {@code bytes} zeros in {@code folder}, or in the system's temporary folder.
   */
  static Path create(@Nullable Path folder, long bytes) throws IOException {
    Path place = place(folder);
    Files.createDirectories(place);
    Path file = Files.createTempFile(place, prefix(ProcessHandle.current()), ".f32");
    file.toFile().deleteOnExit();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (bytes > 0) {
        channel.write(java.nio.ByteBuffer.allocate(1), bytes - 1);
      }
    }
    return file;
  }

  /** Returns memory of {@code bytes} zeros, backed by an unlinked file, while the arena lives. */
  public static MemorySegment memory(@Nullable Path folder, long bytes, Arena arena) {
    try {
      Path file = create(folder, bytes);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        return channel.map(MapMode.READ_WRITE, 0, bytes, arena);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path place(@Nullable Path folder) {
    return folder == null ? Path.of(System.getProperty("java.io.tmpdir")) : folder;
  }

  private static String prefix(ProcessHandle process) {
    return "%s%s.%d.%d.".formatted(PREFIX, host(), process.pid(), start(process));
  }

  private static long start(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH).toEpochMilli();
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9-]", "-");
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** Deletes files in the folder of dead processes of this machine. */
  public static void sweep(@Nullable Path folder) {
    Path place = place(folder);
    if (!Files.isDirectory(place)) {
      return;
    }
    Pattern ours = Pattern.compile(Pattern.quote(PREFIX + host()) + "\\.(\\d+)\\.(\\d+)\\..*");
    try (Stream<Path> files = Files.list(place)) {
      List<Path> left =
          files
              .filter(
                  file -> {
                    Matcher name = ours.matcher(String.valueOf(file.getFileName()));
                    return name.matches() && !lives(name);
                  })
              .toList();
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean lives(Matcher name) {
    return ProcessHandle.of(Long.parseLong(name.group(1)))
        .filter(process -> start(process) == Long.parseLong(name.group(2)))
        .isPresent();
  }
}
