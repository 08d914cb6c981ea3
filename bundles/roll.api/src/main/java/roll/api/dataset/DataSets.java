package roll.api.dataset;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.option.UserException;

/** Reads data sets: JSON lists, JSON lines and Parquet. */
@ProviderType
public interface DataSets {
  /**
   * All rows of {@code files}, one file after the other; of a folder those of its data files that
   * are named for training, if there are any, else all. What was read stays in memory as long as
   * somebody holds it; a file that has not changed is not read twice meanwhile.
   *
   * @throws UserException naming file, line and what is wrong: a file that is not there, a row that
   *     cannot be read or is not a mapping, a format that is not known
   */
  List<Row> read(List<Path> files);

  /**
   * The same of files that a configuration names.
   *
   * @param where the key that names them
   * @throws UserException as above, behind the key
   */
  default List<Row> read(String where, List<Path> files) {
    try {
      return read(files);
    } catch (UserException e) {
      throw new UserException(where + ": " + e.getMessage(), e);
    }
  }
}
