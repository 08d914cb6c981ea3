package roll.torch;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.torch.LinearBackends.Rates;
import roll.torch.LinearBackends.Shape;

/**
 * The file of measured rates, GFLOP/s by machine and shape:
 *
 * <pre>{"AMD EPYC 9R45, libtorch 2.7.1": {"768x2048": {"libtorch": 101.2, "onednn": 312.9}}}</pre>
 *
 * A file that cannot be read or written is reported in one log line, and every process measures
 * again.
 */
final class LinearRateFile {
  private static final Logger LOG = LoggerFactory.getLogger(LinearRateFile.class);
  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

  private final Path file;
  private final String machine;

  /** Opens the rates of {@code machine} in {@code file}. */
  LinearRateFile(Path file, String machine) {
    this.file = file;
    this.machine = machine;
  }

  /** Reads the measured GEMM rates of this machine. */
  Map<Shape, Rates> read() {
    try {
      return rates(whole());
    } catch (IOException | JsonParseException | IllegalStateException e) {
      LOG.warn("{}: {}; linear layers are measured again", file, e.toString());
      return Map.of();
    }
  }

  /**
   * Adds {@code measured} rates; those that another process has added meanwhile are kept, so that
   * both processes compute alike.
   *
   * @return the rates in the file afterward
   */
  Map<Shape, Rates> add(Map<Shape, Rates> measured) {
    Map<Shape, Rates> all = new TreeMap<>(measured);
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Path lock = file.resolveSibling(file.getFileName() + ".lock");
      try (FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = lock(channel)) {
        JsonObject json = readable();
        all.putAll(rates(json));
        write(json, all);
      }
    } catch (IOException | JsonParseException | IllegalStateException e) {
      LOG.warn("{}: {}; rates of linear layers are not kept", file, e.toString());
    }
    return all;
  }

  /** Waits for other processes, and for other devices of this process. */
  private static FileLock lock(FileChannel channel) throws IOException {
    while (true) {
      try {
        return channel.lock();
      } catch (OverlappingFileLockException e) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /** Returns the whole file, or an empty object if it is damaged. */
  private JsonObject readable() throws IOException {
    try {
      JsonObject json = whole();
      var unused = rates(json);
      return json;
    } catch (JsonParseException | IllegalStateException e) {
      return new JsonObject();
    }
  }

  private JsonObject whole() throws IOException {
    if (!Files.exists(file)) {
      return new JsonObject();
    }
    JsonObject json = GSON.fromJson(Files.readString(file), JsonObject.class);
    if (json == null) {
      throw new JsonParseException("the file is empty");
    }
    return json;
  }

  private Map<Shape, Rates> rates(JsonObject json) {
    Map<Shape, Rates> rates = new TreeMap<>();
    if (json.has(machine)) {
      for (var entry : json.get(machine).getAsJsonObject().entrySet()) {
        Shape shape = Shape.parse(entry.getKey());
        if (shape == null) {
          throw new JsonParseException("'" + entry.getKey() + "' is no shape of a linear layer");
        }
        JsonObject values = entry.getValue().getAsJsonObject();
        rates.put(shape, new Rates(rate(values.get("libtorch")), rate(values.get("onednn"))));
      }
    }
    return rates;
  }

  private static double rate(JsonElement value) {
    if (value == null || !value.isJsonPrimitive() || !value.getAsJsonPrimitive().isNumber()) {
      throw new JsonParseException("expected a rate in GFLOP/s, found " + value);
    }
    return Math.round(value.getAsDouble() * 10) * 1e8; // exactly the number that was written
  }

  private void write(JsonObject json, Map<Shape, Rates> all) throws IOException {
    JsonObject shapes = new JsonObject();
    all.forEach(
        (shape, rates) -> {
          JsonObject values = new JsonObject();
          values.addProperty("libtorch", Math.round(rates.libtorch() * 1e-8) / 10.0);
          values.addProperty("onednn", Math.round(rates.onednn() * 1e-8) / 10.0);
          shapes.add(shape.toString(), values);
        });
    json.add(machine, shapes);
    Path whole = Files.createTempFile(file.toAbsolutePath().getParent(), "linear", ".json");
    Files.writeString(whole, GSON.toJson(json) + "\n");
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
