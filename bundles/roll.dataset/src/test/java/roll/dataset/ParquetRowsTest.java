package roll.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.dataset.Row;

/** Parquet files with the columns that verl's data sets have. */
class ParquetRowsTest {
  private static final MessageType VERL =
      MessageTypeParser.parseMessageType(
          """
          message schema {
            optional binary data_source (STRING);
            optional group prompt (LIST) {
              repeated group list {
                optional group element {
                  optional binary role (STRING);
                  optional binary content (STRING);
                }
              }
            }
            optional group reward_model {
              optional binary ground_truth (STRING);
              optional binary style (STRING);
            }
            optional group extra_info {
              optional int64 index;
              optional double share;
              optional boolean hard;
              optional group tags (LIST) { repeated group list { optional binary element (STRING); } }
              optional group counts (MAP) {
                repeated group key_value { required binary key (STRING); optional int32 value; }
              }
              optional int32 price (DECIMAL(9, 2));
            }
          }
          """);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
  void nestedColumnsAreListsAndMaps(CompressionCodecName codec) throws IOException {
    List<Row> rows = new FileDataSets().read(List.of(write(codec, 300)));
    assertEquals(300, rows.size());
    assertEquals(
        Map.of(
            "data_source",
            "openai/gsm8k",
            "prompt",
            List.of(Map.of("role", "user", "content", "question 7 é")),
            "reward_model",
            Map.of("style", "rule", "ground_truth", "7"),
            "extra_info",
            Map.of(
                "index",
                7L,
                "share",
                0.5,
                "hard",
                true,
                "tags",
                List.of("a", "b"),
                "counts",
                Map.of("x", 3L),
                "price",
                "12.34")),
        rows.get(7).fields());
    assertEquals(8, rows.get(7).line());
    assertEquals(Map.of("data_source", "openai/gsm8k"), rows.get(9).fields(), "nulls are left out");
  }

  private Path write(CompressionCodecName codec, int rows) throws IOException {
    Path file = folder.resolve("train.parquet");
    SimpleGroupFactory groups = new SimpleGroupFactory(VERL);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .withType(VERL)
            .withRowGroupSize(4096L)
            .withCompressionCodec(codec)
            .build()) {
      for (int i = 0; i < rows; i++) {
        Group row = groups.newGroup().append("data_source", "openai/gsm8k");
        if (i != 9) {
          row.addGroup("prompt")
              .addGroup("list")
              .addGroup("element")
              .append("role", "user")
              .append("content", "question " + i + " é");
          row.addGroup("reward_model").append("style", "rule").append("ground_truth", "" + i);
          Group extra = row.addGroup("extra_info");
          extra.append("index", (long) i).append("share", 0.5).append("hard", true);
          Group tags = extra.addGroup("tags");
          tags.addGroup("list").append("element", "a");
          tags.addGroup("list").append("element", "b");
          extra.addGroup("counts").addGroup("key_value").append("key", "x").append("value", 3);
          extra.append("price", 1234);
        }
        writer.write(row);
      }
    }
    return file;
  }

  @Test
  void whatIsNoParquetIsRefused() throws IOException {
    for (String text : List.of("{\"question\": 1}\n{}\n", "", "PAR1", "PAR1 and then an end")) {
      Path file = Files.writeString(folder.resolve("a.parquet"), text);
      assertEquals(
          file + ": is no Parquet file: it does not begin and end with PAR1", refusal(file));
    }
    Path damaged = Files.writeString(folder.resolve("b.parquet"), "PAR1 a footer of lies PAR1");
    assertTrue(refusal(damaged).startsWith(damaged + ": cannot be read as Parquet: "));
  }

  private static String refusal(Path file) {
    return userError(() -> new FileDataSets().read(List.of(file)));
  }
}
