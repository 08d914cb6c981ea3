package roll.ui.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values read from files, read again when a file has changed. */
public final class FileCache<T extends @Nullable Object> {
  private final int size;
  private final Reader<T> reader;
  private final Map<Path, Entry<T>> entries = new LinkedHashMap<>(16, 0.75f, true);

  private record Entry<T extends @Nullable Object>(@Nullable FileStamp stamp, T value) {}

  /** Reads a value from a file. */
  public interface Reader<T extends @Nullable Object> {
    /**
     * Reads the value from the file.
     *
     * @param stamp of the file; null where there is none
     */
    T read(Path file, @Nullable FileStamp stamp) throws IOException;
  }

  /** A cache of the {@code size} files used last. */
  public FileCache(int size, Reader<T> reader) {
    this.size = size;
    this.reader = reader;
  }

  /**
   * Returns the cached value of {@code file}. Other callers wait, so that no file is read twice.
   */
  public synchronized T get(Path file) throws IOException {
    FileStamp now = FileStamp.of(file);
    Entry<T> entry = entries.get(file);
    if (entry == null || (now == null ? entry.stamp() != null : !now.equals(entry.stamp()))) {
      entry = new Entry<>(now, reader.read(file, now));
      entries.put(file, entry);
      if (entries.size() > size) {
        entries.remove(entries.keySet().iterator().next());
      }
    }
    return entry.value();
  }
}
