package roll.dataset;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * Reads data sets from files. A file is read once as long as it does not change and its rows are in
 * use; unused rows are released when memory runs short.
 */
@Component(name = "roll.dataset")
public final class FileDataSets implements DataSetReader {
  private final Map<Path, Known> known = new ConcurrentHashMap<>();

  @Override
  public List<Row> read(List<Path> files) {
    List<List<Row>> parts =
        files.stream()
            .flatMap(
                file -> Files.isDirectory(file) ? DataFolder.files(file).stream() : Stream.of(file))
            .map(this::rows)
            .toList();
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    List<Row> all = new ArrayList<>();
    parts.forEach(all::addAll);
    return Collections.unmodifiableList(all);
  }

  private List<Row> rows(Path file) {
    Version version = Version.of(file);
    Known before = known.get(file);
    List<Row> rows = before == null ? null : before.rows().get();
    if (before != null && rows != null && before.version().equals(version)) {
      return rows;
    }
    rows = Collections.unmodifiableList(FileFormats.read(file));
    known.put(file, new Known(version, new SoftReference<>(rows)));
    return rows;
  }

  /** Rows that were read, and of which version of their file. */
  private record Known(Version version, SoftReference<List<Row>> rows) {}

  /** Size and time of a file, to detect changes. */
  private record Version(long size, FileTime modified) {
    /** Suggests the intended file for a missing one. */
    private static String instead(Path file) {
      String looked =
          file.isAbsolute()
              ? ""
              : " here or next to the configuration (data sets are read from local files, nothing"
                  + " is downloaded)";
      return looked + Suggestion.beside(file);
    }

    private static Version of(Path file) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        if (!found.isRegularFile()) {
          throw new UserException(file + ": is no file");
        }
        return new Version(found.size(), found.lastModifiedTime());
      } catch (NoSuchFileException e) {
        throw new UserException(file + ": there is no such file" + instead(file), e);
      } catch (IOException e) {
        throw new UserException(file + ": cannot be read (" + e.getMessage() + ")", e);
      }
    }
  }
}
