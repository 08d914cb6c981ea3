package roll.dataset;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import roll.api.dataset.Row;
import roll.api.option.UserException;

/** A Parquet file, nested columns as lists and maps; a row's line is its number. */
final class ParquetRows {
  private static final int MARK = 4;
  private static final Set<String> MARKS = Set.of("PAR1", "PARE");

  private ParquetRows() {}

  /**
   * Reads all rows of the Parquet file {@code file}.
   *
   * @throws UserException if it is no Parquet, damaged, encrypted or of a compression not known
   */
  static List<Row> read(Path file) {
    if (!marked(file)) {
      throw new UserException(file + ": is no Parquet file: it does not begin and end with PAR1");
    }
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .build();
    List<Row> rows = new ArrayList<>();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
      MessageType schema = reader.getFooter().getFileMetaData().getSchema();
      MessageColumnIO columns = new ColumnIOFactory().getColumnIO(schema);
      PageReadStore part = reader.readNextRowGroup();
      while (part != null) {
        RecordReader<Group> records =
            columns.getRecordReader(part, new GroupRecordConverter(schema));
        for (long left = part.getRowCount(); left > 0; left--) {
          rows.add(new Row(file, rows.size() + 1L, ParquetValues.fields(records.read())));
        }
        part = reader.readNextRowGroup();
      }
    } catch (IOException | RuntimeException e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      String where = rows.isEmpty() ? "" : ":" + (rows.size() + 1);
      throw new UserException(file + where + ": cannot be read as Parquet: " + reason, e);
    }
    return rows;
  }

  /** Whether the file begins and ends as Parquet does; PARE marks an encrypted file. */
  private static boolean marked(Path file) {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
      return bytes.length() >= 2L * MARK
          && MARKS.contains(mark(bytes, 0))
          && MARKS.contains(mark(bytes, bytes.length() - MARK));
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private static String mark(RandomAccessFile bytes, long at) throws IOException {
    byte[] mark = new byte[MARK];
    bytes.seek(at);
    bytes.readFully(mark);
    return new String(mark, StandardCharsets.ISO_8859_1);
  }
}
