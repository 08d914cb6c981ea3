package roll.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.option.UserException;

/** Parquet files with other bytes than were written: read as they stand or refused in one line. */
class DamagedParquetTest {
  private static final int ATTEMPTS = 250;

  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message schema {
            optional binary question (STRING);
            optional group tags (LIST) { repeated group list { optional int64 element; } }
          }
          """);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD"})
  void isOneLine(CompressionCodecName codec) throws IOException {
    byte[] whole = Files.readAllBytes(write(codec));
    SplittableRandom random = new SplittableRandom(7);
    Path file = folder.resolve("damaged.parquet");
    int refused = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
      byte[] bytes = whole.clone();
      for (int n = random.nextInt(1, 6); n > 0; n--) {
        bytes[4 + random.nextInt(bytes.length - 8)] = (byte) random.nextInt(256);
      }
      if (random.nextInt(5) == 0) { // a piece is missing, the marks are there
        int from = 4 + random.nextInt(bytes.length - 8);
        byte[] cut = Arrays.copyOf(bytes, from + 8);
        System.arraycopy(bytes, bytes.length - 8, cut, from, 8);
        bytes = cut;
      }
      Files.write(file, bytes);
      try {
        var unused = new FileDataSets().read(List.of(file));
      } catch (UserException e) {
        refused++;
        assertEquals(1, e.getMessage().lines().count(), e.getMessage());
      }
    }
    assertTrue(refused > ATTEMPTS / 10, refused + " were refused");
  }

  private Path write(CompressionCodecName codec) throws IOException {
    Path file = folder.resolve("whole.parquet");
    SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .withType(SCHEMA)
            .withCompressionCodec(codec)
            .build()) {
      for (long i = 0; i < 20; i++) {
        Group row = groups.newGroup().append("question", "how much is " + i);
        row.addGroup("tags").addGroup("list").append("element", i);
        writer.write(row);
      }
    }
    return file;
  }
}
