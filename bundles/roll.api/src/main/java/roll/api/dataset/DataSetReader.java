package roll.api.dataset;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.option.UserException;

/** Reads data sets: JSON lists, JSON lines and Parquet. */
@ProviderType
public interface DataSetReader {
  /**
   * Reads all rows of {@code files} in order; of a folder, its data files named for training if
   * there are any, otherwise all data files. Rows stay cached while they are referenced; an
   * unchanged file is then not read again.
   *
   * @throws UserException with file, line and problem: a missing file, a row that cannot be parsed
   *     or is not a mapping, an unknown format
   */
  List<Row> read(List<Path> files);

  /**
   * Like {@link #read(List)}, with errors that begin with the configuration key of the files.
   *
   * @param where the configuration key
   * @throws UserException as above, prefixed with the key
   */
  default List<Row> read(String where, List<Path> files) {
    try {
      return read(files);
    } catch (UserException e) {
      throw new UserException(where + ": " + e.getMessage(), e);
    }
  }
}
