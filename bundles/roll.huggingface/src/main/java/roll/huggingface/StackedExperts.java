package roll.huggingface;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;

/**
 * Reads expert weights that are stacked in two tensors for each layer, as in transformers 5: {@code
 * gate_up_proj} [experts, 2 · width, hidden], with the gate first, and {@code down_proj} [experts,
 * hidden, width] ({@code Qwen2MoeExperts} in modeling_qwen2_moe.py).
 */
public final class StackedExperts {
  private static final Pattern EXPERT =
      Pattern.compile("(.*\\.mlp\\.experts)\\.(\\d+)\\.(gate|up|down)_proj\\.weight");

  private static final Pattern STACK =
      Pattern.compile("model\\.layers\\.\\d+\\.mlp\\.experts\\.(gate_up|down)_proj");

  private StackedExperts() {}

  /** Returns whether a file of a model {@code spec} may have a stacked tensor {@code name}. */
  public static boolean named(DecoderSpec spec, String name) {
    return spec.experts() != null && STACK.matcher(name).matches();
  }

  /**
   * Returns the weight {@code parameter} of an expert of {@code spec}, if {@code files} have it
   * stacked.
   *
   * @throws roll.api.option.UserException if the stacked tensor has another shape or type
   */
  public static Optional<StoredTensor> find(
      DecoderSpec spec, DecoderSpec.Parameter parameter, Safetensors files) {
    Experts experts = spec.experts();
    Matcher expert = EXPERT.matcher(parameter.name());
    if (experts == null || !expert.matches()) {
      return Optional.empty();
    }
    boolean down = expert.group(3).equals("down");
    String name = expert.group(1) + (down ? ".down_proj" : ".gate_up_proj");
    if (!files.tensors().containsKey(name)) {
      return Optional.empty();
    }
    int parts = down ? 1 : 2;
    int rows = parameter.shape().getFirst();
    int columns = parameter.shape().getLast();
    StoredTensor all = files.require(name, List.of(experts.count(), parts * rows, columns));
    long number = parts * Long.parseLong(expert.group(2)) + (expert.group(3).equals("up") ? 1 : 0);
    return Optional.of(
        all.part(
            parameter.name(), number * parameter.size(), List.of((long) rows, (long) columns)));
  }
}
