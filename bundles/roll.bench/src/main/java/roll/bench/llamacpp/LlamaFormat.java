package roll.bench.llamacpp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;

/**
 * The number format of a model's weights.
 *
 * @param name {@code f32}, {@code bf16}, or llama.cpp's name for any other
 * @param dtype the same here; null where nothing here computes in it
 */
public record LlamaFormat(String name, @Nullable Dtype dtype) {
  /** 32-bit floating point. */
  public static final LlamaFormat F32 = new LlamaFormat("f32", Dtype.FP32);

  /** bfloat16. */
  public static final LlamaFormat BF16 = new LlamaFormat("bf16", Dtype.BF16);

  /** Architecture, size, format: {@code qwen2 1B all F32}. */
  private static final Pattern MODEL = Pattern.compile("\\S+ \\S+ (.+)");

  private static final Pattern STATED =
      Pattern.compile("(?:all |mostly )?(.+?)(?: \\(guessed\\))?");

  /** The format of {@code dtype}. */
  public static LlamaFormat of(Dtype dtype) {
    return dtype == Dtype.BF16 ? BF16 : F32;
  }

  /** The format that llama.cpp's log calls {@code stated}. */
  static LlamaFormat stated(String stated) {
    Matcher matcher = STATED.matcher(stated);
    String name = matcher.matches() ? matcher.group(1) : stated;
    return switch (name) {
      case "F32" -> F32;
      case "BF16" -> BF16;
      default -> new LlamaFormat(LlamaPlace.brief(name), null);
    };
  }

  /** The format in llama-bench's description of a model. */
  static LlamaFormat ofModel(String description) {
    Matcher matcher = MODEL.matcher(description);
    return stated(matcher.matches() ? matcher.group(1) : description);
  }
}
