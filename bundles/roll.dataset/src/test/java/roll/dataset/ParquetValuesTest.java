package roll.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;

class ParquetValuesTest {
  /** Pictures in the form of Hugging Face data sets. */
  private static final MessageType PICTURES =
      MessageTypeParser.parseMessageType(
          """
          message row {
            optional group images (LIST) {
              repeated group list {
                optional group element {
                  optional binary bytes;
                  optional binary path (STRING);
                }
              }
            }
          }
          """);

  @Test
  void bytesThatAreNoTextAreBase64() {
    Group row = new SimpleGroup(PICTURES);
    Group images = row.addGroup("images");
    Group first = images.addGroup("list").addGroup("element");
    byte[] png = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    first.append("bytes", Binary.fromConstantByteArray(png));
    first.append("path", "ü.png");
    images.addGroup("list").addGroup("element").append("bytes", "text");
    assertEquals(
        Map.of(
            "images",
            List.of(Map.of("bytes", "iVBORw0KGgo=", "path", "ü.png"), Map.of("bytes", "text"))),
        ParquetValues.fields(row));
  }
}
