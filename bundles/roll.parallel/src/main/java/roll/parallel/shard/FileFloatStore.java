package roll.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * Floats in a file, initially zero. They count as memory of this process only while they are
 * mapped; the system writes them back on its own schedule. The file is deleted on close, or, after
 * a killed process, when state is next offloaded into its folder.
 */
final class FileFloatStore implements FloatStore {
  private final Path file;
  private final long count;
  private final FlatTensors flat;

  /**
   * Creates a file of {@code count} floats.
   *
   * @param folder folder of the file; null for the system's temporary folder
   * @throws UserException if it cannot be created
   */
  FileFloatStore(@Nullable Path folder, long count, FlatTensors flat) {
    this.count = count;
    this.flat = flat;
    try {
      this.file = OffloadFiles.create(folder, count * Float.BYTES);
    } catch (IOException failure) {
      throw new UserException(
          "cannot create a file to offload %d bytes to: %s"
              .formatted(count * Float.BYTES, failure.getMessage()),
          failure);
    }
  }

  @Override
  public MemorySegment map(Arena arena) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(MapMode.READ_WRITE, 0, count * Float.BYTES, arena);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void read(long first, MemorySegment target) {
    try (Arena arena = Arena.ofConfined()) {
      target.copyFrom(map(arena).asSlice(first * Float.BYTES, target.byteSize()));
    }
  }

  @Override
  public void write(long first, MemorySegment source) {
    try (Arena arena = Arena.ofConfined()) {
      map(arena).asSlice(first * Float.BYTES, source.byteSize()).copyFrom(source);
    }
  }

  @Override
  public NDArray tensor(NDManager owner) {
    return flat.mapped(owner, file, count);
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
