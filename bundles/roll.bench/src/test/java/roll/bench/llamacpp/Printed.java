package roll.bench.llamacpp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the tools print, with invented numbers; the forms are those of {@code llama-bench}
 * (ggml-org/llama.cpp@5a32f10adf766d67ebc31e3525a257ce57956ca2:tools/llama-bench/README.md) and
 * {@code llama-batched-bench}
 * (ggml-org/llama.cpp@2fb62f8f50fdc264199edab5a0d3175dc0229466:tools/batched-bench/batched-bench.cpp).
 */
public final class Printed {
  private Printed() {}

  /** The text of the resource {@code name}. */
  public static String text(String name) {
    try (InputStream in = Objects.requireNonNull(Printed.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(name, e);
    }
  }

  /** The figures of the resource {@code name}; {@code format} is given beside it. */
  public static LlamaOutput output(String name, @Nullable LlamaFormat format) {
    return new LlamaOutput(name, new LlamaScan(name, text(name), new LlamaLog(format)).figures());
  }
}
