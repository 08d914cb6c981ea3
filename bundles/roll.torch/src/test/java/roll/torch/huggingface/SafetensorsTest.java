package roll.torch.huggingface;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;

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
        "i64":{"dtype":"I64","shape":[1],"data_offsets":[20,28]}}\
        """;
    ByteBuffer data = ByteBuffer.allocate(28).order(ByteOrder.LITTLE_ENDIAN);
    data.putFloat(1.5f).putFloat(-0f).putShort((short) 0x3C00).putShort((short) 0x7C00);
    data.putShort((short) 0x3F80).putShort((short) 0xC020).putFloat(3f).putLong(7);
    Path file = write("a.safetensors", header, data.array());
    try (Safetensors tensors = Safetensors.open(file)) {
      assertEquals(
          List.of("f32", "f16", "bf16", "scalar", "empty", "i64"),
          List.copyOf(tensors.tensors().keySet()));
      assertArrayEquals(new float[] {1.5f, -0f}, floats(tensors.require("f32", List.of(2))));
      assertArrayEquals(
          new float[] {1, Float.POSITIVE_INFINITY}, floats(tensors.require("f16", List.of(1, 2))));
      assertArrayEquals(new float[] {1, -2.5f}, floats(tensors.require("bf16", List.of(2, 1))));
      assertArrayEquals(new float[] {3}, floats(tensors.require("scalar", List.of())));
      assertEquals(0, tensors.require("empty", List.of(0, 3)).size());
      assertLine(() -> tensors.require("i64", List.of(1)), "dtype I64 (allowed: F32, F16, BF16)");
      assertLine(() -> tensors.require("f32", List.of(3)), "has shape [2], the model needs [3]");
      assertLine(() -> tensors.require("scalr", List.of()), "missing; did you mean 'scalar'?");
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
          {"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}             | 8  | not a whole number
          {"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}}            | 8  | not a whole number
          {"a":{"dtype":"F32","shape":["2"],"data_offsets":[0,8]}}            | 8  | not a whole number
          {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,99999999999999999999]}} | 8 | not a whole number
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
    assertLine(() -> Safetensors.open(file), complaint);
  }

  @Test
  void refusesAWrongHeaderLength() throws IOException {
    assertLine(() -> Safetensors.open(raw(new byte[0])), "is truncated: 0 bytes");
    assertLine(() -> Safetensors.open(raw(length(0))), "header length of 0");
    assertLine(() -> Safetensors.open(raw(length(-1))), "header length of 18446744073709551615");
    assertLine(() -> Safetensors.open(raw(length(200_000_000))), "header length of 200000000");
    assertLine(() -> Safetensors.open(raw(length(100))), "header has 100 bytes, the file 8");
    byte[] notText = Arrays.copyOf(length(2), 10);
    notText[8] = (byte) 0xC3;
    assertLine(() -> Safetensors.open(raw(notText)), "not UTF-8");
    byte[] deep = ("{\"__metadata__\":" + "[".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(8 + deep.length).order(ByteOrder.LITTLE_ENDIAN);
    assertLine(
        () -> Safetensors.open(raw(file.putLong(deep.length).put(deep).array())), "not the JSON");
  }

  @Test
  void refusesPickleAndNothing() throws IOException {
    assertFalse(Safetensors.exist(folder));
    assertLine(() -> Safetensors.open(folder), "no weights");
    Files.write(folder.resolve("pytorch_model.bin"), new byte[3]);
    assertLine(() -> Safetensors.exist(folder), "pickle files are not read");
    assertLine(() -> Safetensors.open(folder.resolve("pytorch_model.bin")), "pickle");
    assertLine(() -> Safetensors.open(folder.resolve("no.safetensors")), "cannot be read");
  }

  @Test
  void writesWhatItReads() throws IOException {
    StoredTensor b = tensor("b", List.of(2L, 2L), 1, 2, 3, Float.MIN_VALUE);
    StoredTensor a = tensor("a \"quoted\" <é>", List.of(3L), -1, 0, Float.MAX_VALUE);
    SafetensorsWriter.writeModel(folder, List.of(b, a), TensorFormat.F32, 1000);
    Path file = folder.resolve(Safetensors.SINGLE);
    byte[] bytes = Files.readAllBytes(file);
    long header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    assertEquals(0, header % 8);
    assertEquals(
        "{\"__metadata__\":{\"format\":\"pt\"},\"a \\\"quoted\\\" <é>\":{\"dtype\":\"F32\","
            + "\"shape\":[3],\"data_offsets\":[0,12]},\"b\":{\"dtype\":\"F32\",\"shape\":[2,2],"
            + "\"data_offsets\":[12,28]}}",
        new String(bytes, 8, (int) header, StandardCharsets.UTF_8).stripTrailing());
    try (Safetensors tensors = Safetensors.open(folder)) {
      assertArrayEquals(floats(a), floats(tensors.require(a.name(), List.of(3))));
      assertArrayEquals(floats(b), floats(tensors.require("b", List.of(2, 2))));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void rewritesAPublishedFileByteForByte() throws IOException {
    Path source =
        Path.of(System.getProperty("roll.root"), "../shared/data/tiny-models/stories260K-qwen2");
    Assumptions.assumeTrue(Files.exists(source), "the tiny model is not on this machine");
    try (Safetensors tensors = Safetensors.open(source)) {
      SafetensorsWriter.writeModel(
          folder, tensors.tensors().values(), TensorFormat.F32, SafetensorsWriter.SHARD_BYTES);
    }
    assertEquals(
        -1, Files.mismatch(source.resolve(Safetensors.SINGLE), folder.resolve(Safetensors.SINGLE)));
  }

  @Test
  void shardsAndFindsTheShards() throws IOException {
    StoredTensor a = tensor("a", List.of(2L), 1, 2);
    StoredTensor b = tensor("b", List.of(1L), 3);
    StoredTensor c = tensor("c", List.of(1L), 4);
    SafetensorsWriter.writeModel(folder, List.of(a, b, c), TensorFormat.F32, 8);
    assertEquals(
        """
        {
          "metadata": {
            "total_parameters": 4,
            "total_size": 16
          },
          "weight_map": {
            "a": "model-00001-of-00002.safetensors",
            "b": "model-00002-of-00002.safetensors",
            "c": "model-00002-of-00002.safetensors"
          }
        }
        """,
        Files.readString(folder.resolve(Safetensors.INDEX)));
    try (Safetensors tensors = Safetensors.open(folder)) {
      assertArrayEquals(new float[] {1, 2}, floats(tensors.require("a", List.of(2))));
      assertArrayEquals(new float[] {4}, floats(tensors.require("c", List.of(1))));
    }
    Path second = folder.resolve("model-00002-of-00002.safetensors");
    SafetensorsWriter.write(second, List.of(b), TensorFormat.F32);
    assertLine(() -> Safetensors.open(folder), "lacks tensor 'c'");
    SafetensorsWriter.write(second, List.of(b, c, a), TensorFormat.F32);
    assertLine(() -> Safetensors.open(folder), "holds tensor 'a'");
    Files.delete(second);
    assertLine(() -> Safetensors.open(folder), "shard 'model-00002-of-00002.safetensors'");
  }

  /** As huggingface_hub splits: what is too large has a shard of its own, the others continue. */
  @Test
  void aLargeTensorHasAShardOfItsOwn() throws IOException {
    StoredTensor a = tensor("a", List.of(1L), 1);
    StoredTensor b = tensor("b", List.of(3L), 2, 3, 4);
    StoredTensor c = tensor("c", List.of(1L), 5);
    StoredTensor d = tensor("d", List.of(1L), 6);
    SafetensorsWriter.writeModel(folder, List.of(a, b, c, d), TensorFormat.F32, 8);
    assertEquals(
        Map.of(
            "a", "model-00002-of-00003.safetensors",
            "b", "model-00001-of-00003.safetensors",
            "c", "model-00002-of-00003.safetensors",
            "d", "model-00003-of-00003.safetensors"),
        SafetensorsIndex.read(folder.resolve(Safetensors.INDEX)));
  }

  @Test
  void earlierWeightsAreRemoved() throws IOException {
    List<StoredTensor> all =
        List.of(
            tensor("a", List.of(1L), 1), tensor("b", List.of(1L), 2), tensor("c", List.of(), 3));
    Files.writeString(folder.resolve("model-of-mine.safetensors"), "");
    SafetensorsWriter.writeModel(folder, all, TensorFormat.F32, 4);
    SafetensorsWriter.writeModel(folder, all, TensorFormat.F32, 8);
    assertEquals(
        List.of(
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
            "model-of-mine.safetensors",
            "model.safetensors.index.json"),
        names());
    SafetensorsWriter.writeModel(folder, all, TensorFormat.F32, 100);
    assertEquals(List.of("model-of-mine.safetensors", "model.safetensors"), names());
    SafetensorsWriter.writeModel(folder, all, TensorFormat.F32, 8);
    assertEquals(4, names().size());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void shardsWithoutAnIndexAreNoModel() throws IOException {
    Files.createFile(folder.resolve("adapter_model.safetensors"));
    assertFalse(Safetensors.exist(folder));
    Files.createFile(folder.resolve("model-00001-of-00002.safetensors"));
    assertLine(
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
    assertLine(() -> Safetensors.open(folder), complaint);
  }

  @Test
  void roundsToTheNearest() throws IOException {
    float justOver = Math.nextUp(1f + 0x1p-8f);
    float[] values = {
      1f, 1f + 0x1p-8f, justOver, 1f + 3 * 0x1p-8f, -0f, Float.NaN, 3.4e38f, Float.MIN_VALUE
    };
    StoredTensor tensor = tensor("a", List.of((long) values.length), values);
    for (TensorFormat format : List.of(TensorFormat.BF16, TensorFormat.F16)) {
      SafetensorsWriter.writeModel(folder, List.of(tensor), format, 1000);
      try (Safetensors tensors = Safetensors.open(folder)) {
        float[] read = floats(tensors.require("a", List.of(values.length)));
        float[] expected =
            format == TensorFormat.F16
                ? new float[] {
                  1,
                  1 + 0x1p-8f,
                  1 + 0x1p-8f,
                  1 + 3 * 0x1p-8f,
                  -0f,
                  Float.NaN,
                  Float.POSITIVE_INFINITY,
                  0
                }
                : new float[] {
                  1, 1, 1 + 0x1p-7f, 1 + 0x1p-6f, -0f, Float.NaN, Float.POSITIVE_INFINITY, 0
                };
        assertArrayEquals(expected, read);
      }
    }
  }

  private static StoredTensor tensor(String name, List<Long> shape, float... values) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return new StoredTensor(name, TensorFormat.F32, shape, MemorySegment.ofBuffer(bytes.flip()));
  }

  private static float[] floats(StoredTensor tensor) {
    float[] values = new float[(int) tensor.size()];
    tensor.readFloats(0, MemorySegment.ofArray(values));
    return values;
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

  private interface Attempt {
    Object run() throws IOException;
  }

  private static void assertLine(Attempt attempt, String part) {
    String message = String.valueOf(assertThrows(UserException.class, attempt::run).getMessage());
    assertTrue(message.contains(part), message);
    assertTrue(message.lines().count() == 1, message);
  }
}
