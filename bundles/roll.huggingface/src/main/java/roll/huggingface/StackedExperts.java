package roll.huggingface;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.VisionSpec;

/**
 * Expert weights that are stacked in two tensors for each layer, as in transformers 5: {@code
 * gate_up_proj} [experts, 2 · width, hidden], with the gate first, and {@code down_proj} [experts,
 * hidden, width] ({@code Qwen2MoeExperts} in modeling_qwen2_moe.py). Published files of Qwen3-VL
 * have transposed matrices, and so are written, except for square ones, which transformers does not
 * transpose (its entry in conversion_mapping.py).
 */
public final class StackedExperts {
  private static final Pattern EXPERT =
      Pattern.compile("(.*\\.mlp\\.experts)\\.(\\d+)\\.(gate|up|down)_proj\\.weight");

  private static final Pattern STACK =
      Pattern.compile("model\\.layers\\.\\d+\\.mlp\\.experts\\.(gate_up|down)_proj");

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private StackedExperts() {}

  /** Returns whether a file of a model {@code spec} may have a stacked tensor {@code name}. */
  public static boolean named(DecoderSpec spec, String name) {
    return spec.experts() != null && STACK.matcher(name).matches();
  }

  private static boolean transposes(DecoderSpec spec) {
    VisionSpec vision = spec.vision();
    return spec.experts() != null && vision != null && vision.deepStack() != null;
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
    String own = expert.group(1) + (down ? ".down_proj" : ".gate_up_proj");
    String name = files.tensors().containsKey(own) ? own : StoredNames.published(spec, own);
    if (!files.tensors().containsKey(name)) {
      return Optional.empty();
    }
    int parts = down ? 1 : 2;
    int rows = parameter.shape().getFirst();
    int columns = parameter.shape().getLast();
    long number = Long.parseLong(expert.group(2));
    boolean second = expert.group(3).equals("up");
    List<Integer> plain = List.of(experts.count(), parts * rows, columns);
    StoredTensor found = Objects.requireNonNull(files.tensors().get(name));
    if (transposes(spec)
        && !found.shape().equals(plain.stream().map(Integer::longValue).toList())) {
      StoredTensor all = files.require(name, List.of(experts.count(), columns, parts * rows));
      long first = number * parts * parameter.size() + (second ? rows : 0);
      return Optional.of(
          all.transposed(parameter.name(), first, rows, columns, (long) parts * rows));
    }
    long first = (parts * number + (second ? 1 : 0)) * parameter.size();
    return Optional.of(
        files
            .require(name, plain)
            .part(parameter.name(), first, List.of((long) rows, (long) columns)));
  }

  /**
   * Returns {@code weights} of the model {@code spec} as its files have them: with stacked experts
   * for Qwen3-VL, otherwise unchanged.
   */
  public static List<StoredTensor> written(DecoderSpec spec, List<StoredTensor> weights) {
    if (!transposes(spec)) {
      return weights;
    }
    List<StoredTensor> written = new ArrayList<>();
    Map<String, List<StoredTensor>> stacks = new LinkedHashMap<>();
    for (StoredTensor weight : weights) {
      Matcher expert = EXPERT.matcher(weight.name());
      if (expert.matches()) {
        String kind = expert.group(3).equals("down") ? ".down_proj" : ".gate_up_proj";
        stacks.computeIfAbsent(expert.group(1) + kind, name -> new ArrayList<>()).add(weight);
      } else {
        written.add(weight);
      }
    }
    stacks.forEach((name, parts) -> written.add(stack(name, parts)));
    return written;
  }

  /** Stacks {@code parts}, transposed; gate and up of an expert are adjacent. */
  private static StoredTensor stack(String name, List<StoredTensor> parts) {
    int each = name.endsWith("gate_up_proj") ? 2 : 1;
    long rows = parts.getFirst().shape().getFirst();
    long columns = parts.getFirst().shape().getLast();
    boolean square = each * rows == columns;
    return StoredTensor.read(
        name,
        TensorFormat.F32,
        List.of((long) parts.size() / each, columns, each * rows),
        (first, target) -> {
          long end = first + target.byteSize() / Float.BYTES;
          long expert = each * rows * columns;
          for (int i = 0; i < parts.size(); i++) {
            long start = i / each * expert;
            if (start < end && start + expert > first) {
              long own = start - first + i % each * rows * (square ? columns : 1);
              copy(parts.get(i), own, square ? 1 : each * rows, square ? columns : 1, target);
            }
          }
        });
  }

  /**
   * Copies {@code matrix} into {@code target} as far as it lies there.
   *
   * @param start of its first number, which may be outside
   * @param across from one of its columns to the next
   * @param down from one of its rows to the next
   */
  private static void copy(
      StoredTensor matrix, long start, long across, long down, MemorySegment target) {
    long columns = matrix.shape().getLast();
    long count = target.byteSize() / Float.BYTES;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment numbers = arena.allocate(matrix.size() * Float.BYTES, Float.BYTES);
      matrix.readFloats(0, numbers);
      for (long i = 0; i < matrix.size(); i++) {
        long to = start + i % columns * across + i / columns * down;
        if (to >= 0 && to < count) {
          target.set(FLOAT, to * Float.BYTES, numbers.get(FLOAT, i * Float.BYTES));
        }
      }
    }
  }
}
