package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of tensors as others write them are read; malformed ones are refused. */
class SafetensorsTest {
  private final Path folder;

  SafetensorsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void readsEveryFloatFormat() throws IOException {
    String header =
        """
        {"__metadata__":{"format":"pt"},\
        "f32":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},\
        "f16":{"dtype":"F16","shape":[1,2],"data_offsets":[8,12]},\
        "bf16":{"dtype":"BF16","shape":[2,1],"data_offsets":[12,16]},\
        "scalar":{"dtype":"F32","shape":[],"data_offsets":[16,20]},\
        "empty":{"dtype":"F32","shape":[0,3],"data_offsets":[20,20]},\
        "i64":{"dtype":"I64","shape":[1],"data_offsets":[20,28]},\
        "u8":{"dtype":"U8","shape":[2],"data_offsets":[28,30]}}\
        """;
    ByteBuffer data = ByteBuffer.allocate(30).order(ByteOrder.LITTLE_ENDIAN);
    data.putFloat(1.5f).putFloat(-0f).putShort((short) 0x3C00).putShort((short) 0x7C00);
    data.putShort((short) 0x3F80)
        .putShort((short) 0xC020)
        .putFloat(3f)
        .putLong(7)
        .put((byte) 7)
        .put((byte) -1);
    Path file = write("a.safetensors", header, data.array());
    try (Safetensors tensors = Safetensors.open(file)) {
      assertEquals(
          List.of("f32", "f16", "bf16", "scalar", "empty", "i64", "u8"),
          List.copyOf(tensors.tensors().keySet()));
      assertArrayEquals(
          new float[] {1.5f, -0f}, TensorFiles.floats(tensors.require("f32", List.of(2))));
      assertArrayEquals(
          new float[] {1, Float.POSITIVE_INFINITY},
          TensorFiles.floats(tensors.require("f16", List.of(1, 2))));
      assertArrayEquals(
          new float[] {1, -2.5f}, TensorFiles.floats(tensors.require("bf16", List.of(2, 1))));
      assertArrayEquals(new float[] {3}, TensorFiles.floats(tensors.require("scalar", List.of())));
      assertEquals(0, tensors.require("empty", List.of(0, 3)).size());
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = tensors.requireBytes("u8", List.of(2)).map(arena);
        assertArrayEquals(new byte[] {7, -1}, bytes.toArray(ValueLayout.JAVA_BYTE));
      }
      TensorFiles.assertLine(
          () -> tensors.require("i64", List.of(1)), "dtype I64 (allowed: F32, F16, BF16)");
      TensorFiles.assertLine(
          () -> tensors.requireBytes("i64", List.of(1)), "dtype I64 (allowed: U8)");
      TensorFiles.assertLine(
          () -> tensors.require("f32", List.of(3)), "has shape [2], the model needs [3]");
      TensorFiles.assertLine(
          () -> tensors.require("scalr", List.of()), "missing; did you mean 'scalar'?");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}              | 4  | 'a' at 0 to 8, the data have 4 bytes
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}              | 12 | 4 bytes that belong to no tensor
          {"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}              | 8  | but 12 bytes by its shape [3]
          {"a":{"dtype":"F32","shape":[999999999,999999999,9],"data_offsets":[0,8]}} | 8 | impossible shape
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}              | 8  | 'a' at 8 to 0
          {"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}              | 8  | gap before tensor 'a'
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}} | 12 | overlapping tensors: tensor 'b'
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}  | 8  | names 'a' twice
          {"a":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}} | 8 | gives 'dtype' of tensor 'a' twice
          {"a":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}}              | 8  | unknown dtype 'F33'
          {"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}             | 8  | not an integer
          {"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}}            | 8  | not an integer
          {"a":{"dtype":"F32","shape":["2"],"data_offsets":[0,8]}}            | 8  | not an integer
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,99999999999999999999]}} | 8 | not an integer
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}}                | 8  | two data_offsets
          {"a":{"dtype":"F32","data_offsets":[0,8]}}                          | 8  | dtype, shape and
          {"a":{"dtype":"F32","shape":2,"data_offsets":[0,8]}}                | 8  | not the JSON of a safetensors file
          {"a":5}                                                             | 8  | not the JSON of a safetensors file
          [1]                                                                 | 8  | not the JSON of a safetensors file
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}               | 8  | not the JSON of a safetensors file
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}} x            | 8  | not the JSON of a safetensors file
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}{}            | 8  | not the JSON of a safetensors file
          {"__metadata__":{"format":1}}                                       | 0  | __metadata__.format that is not text
          """)
  void refusesAMalformedFile(String header, int bytes, String complaint) throws IOException {
    Path file = write("bad.safetensors", header, new byte[bytes]);
    TensorFiles.assertLine(() -> Safetensors.open(file), complaint);
  }

  @Test
  void refusesAWrongHeaderLength() throws IOException {
    TensorFiles.assertLine(() -> Safetensors.open(raw(new byte[0])), "is truncated: 0 bytes");
    TensorFiles.assertLine(() -> Safetensors.open(raw(length(0))), "header length of 0");
    TensorFiles.assertLine(
        () -> Safetensors.open(raw(length(-1))), "header length of 18446744073709551615");
    TensorFiles.assertLine(
        () -> Safetensors.open(raw(length(200_000_000))), "header length of 200000000");
    TensorFiles.assertLine(
        () -> Safetensors.open(raw(length(100))), "header has 100 bytes, the file 8");
    byte[] notText = Arrays.copyOf(length(2), 10);
    notText[8] = (byte) 0xC3;
    TensorFiles.assertLine(() -> Safetensors.open(raw(notText)), "not UTF-8");
    byte[] deep = ("{\"__metadata__\":" + "[".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(8 + deep.length).order(ByteOrder.LITTLE_ENDIAN);
    TensorFiles.assertLine(
        () -> Safetensors.open(raw(file.putLong(deep.length).put(deep).array())), "not the JSON");
  }

  @Test
  void refusesPickleAndNothing() throws IOException {
    assertFalse(Safetensors.exist(folder));
    TensorFiles.assertLine(() -> Safetensors.open(folder), "no weights");
    Files.write(folder.resolve("pytorch_model.bin"), new byte[3]);
    TensorFiles.assertLine(() -> Safetensors.exist(folder), "pickle files are not read");
    TensorFiles.assertLine(() -> Safetensors.open(folder.resolve("pytorch_model.bin")), "pickle");
    TensorFiles.assertLine(
        () -> Safetensors.open(folder.resolve("no.safetensors")), "cannot be read");
  }

  @Test
  void shardsWithoutAnIndexAreNoModel() throws IOException {
    Files.createFile(folder.resolve("adapter_model.safetensors"));
    assertFalse(Safetensors.exist(folder));
    Files.createFile(folder.resolve("model-00001-of-00002.safetensors"));
    TensorFiles.assertLine(
        () -> Safetensors.exist(folder),
        "holds model-00001-of-00002.safetensors, but neither model.safetensors nor"
            + " model.safetensors.index.json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"weight_map":{"a":"../x.safetensors"}}     | not a .safetensors file of this folder
          {"weight_map":{"a":7}}                      | not a .safetensors file of this folder
          {"weight_map":{}}                           | weight_map is missing or empty
          {"weight_map":{"a":"x.safetensors","a":"x.safetensors"}} | names 'a' twice
          {"weight_map":{"a":"x.safetensors"},"weight_map":{}} | gives 'weight_map' twice
          {"weight_map":                              | not the JSON of a safetensors index
          """)
  void refusesAMalformedIndex(String text, String complaint) throws IOException {
    Files.writeString(folder.resolve(Safetensors.INDEX), text);
    TensorFiles.assertLine(() -> Safetensors.open(folder), complaint);
  }

  private Path write(String name, String header, byte[] data) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(8 + text.length + data.length);
    file.order(ByteOrder.LITTLE_ENDIAN).putLong(text.length).put(text).put(data);
    return Files.write(folder.resolve(name), file.array());
  }

  private Path raw(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("raw.safetensors"), bytes);
  }

  private static byte[] length(long header) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(header).array();
  }
}
