package roll.api.dataset;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Reads data sets: JSON lists, JSON lines and Parquet. */
@ProviderType
public interface DataSets {
  /**
   * All rows of {@code files}, one file after the other. What was read stays in memory as long as
   * somebody holds it; a file that has not changed is not read twice meanwhile.
   *
   * @throws roll.api.config.UserException naming file, line and what is wrong: a file that is not
   *     there, a row that cannot be read or is no mapping, a format that is not known
   */
  List<Row> read(List<Path> files);
}
