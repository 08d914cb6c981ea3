package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of tensors that are written, whole or in shards, are read again. */
class SafetensorsWriterTest {
  private final Path folder;

  SafetensorsWriterTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void writesWhatItReads() throws IOException {
    StoredTensor b = TensorFiles.tensor("b", List.of(2L, 2L), 1, 2, 3, Float.MIN_VALUE);
    StoredTensor a = TensorFiles.tensor("a \"quoted\" <é>", List.of(3L), -1, 0, Float.MAX_VALUE);
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
      assertArrayEquals(
          TensorFiles.floats(a), TensorFiles.floats(tensors.require(a.name(), List.of(3))));
      assertArrayEquals(
          TensorFiles.floats(b), TensorFiles.floats(tensors.require("b", List.of(2, 2))));
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
    StoredTensor a = TensorFiles.tensor("a", List.of(2L), 1, 2);
    StoredTensor b = TensorFiles.tensor("b", List.of(1L), 3);
    StoredTensor c = TensorFiles.tensor("c", List.of(1L), 4);
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
      assertArrayEquals(new float[] {1, 2}, TensorFiles.floats(tensors.require("a", List.of(2))));
      assertArrayEquals(new float[] {4}, TensorFiles.floats(tensors.require("c", List.of(1))));
    }
    Path second = folder.resolve("model-00002-of-00002.safetensors");
    SafetensorsWriter.write(second, List.of(b), TensorFormat.F32);
    TensorFiles.assertLine(() -> Safetensors.open(folder), "lacks tensor 'c'");
    SafetensorsWriter.write(second, List.of(b, c, a), TensorFormat.F32);
    TensorFiles.assertLine(() -> Safetensors.open(folder), "holds tensor 'a'");
    Files.delete(second);
    TensorFiles.assertLine(
        () -> Safetensors.open(folder), "shard 'model-00002-of-00002.safetensors'");
  }

  /**
   * Shards are those of huggingface_hub: a tensor above the limit has its own, the others continue.
   */
  @Test
  void aLargeTensorHasAShardOfItsOwn() throws IOException {
    StoredTensor a = TensorFiles.tensor("a", List.of(1L), 1);
    StoredTensor b = TensorFiles.tensor("b", List.of(3L), 2, 3, 4);
    StoredTensor c = TensorFiles.tensor("c", List.of(1L), 5);
    StoredTensor d = TensorFiles.tensor("d", List.of(1L), 6);
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
            TensorFiles.tensor("a", List.of(1L), 1),
            TensorFiles.tensor("b", List.of(1L), 2),
            TensorFiles.tensor("c", List.of(), 3));
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
  void roundsToTheNearest() throws IOException {
    float justOver = Math.nextUp(1f + 0x1p-8f);
    float[] values = {
      1f, 1f + 0x1p-8f, justOver, 1f + 3 * 0x1p-8f, -0f, Float.NaN, 3.4e38f, Float.MIN_VALUE
    };
    StoredTensor tensor = TensorFiles.tensor("a", List.of((long) values.length), values);
    for (TensorFormat format : List.of(TensorFormat.BF16, TensorFormat.F16)) {
      SafetensorsWriter.writeModel(folder, List.of(tensor), format, 1000);
      try (Safetensors tensors = Safetensors.open(folder)) {
        float[] read = TensorFiles.floats(tensors.require("a", List.of(values.length)));
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
}
