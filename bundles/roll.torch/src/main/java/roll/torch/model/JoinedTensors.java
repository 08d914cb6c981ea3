package roll.torch.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.decoder.DecoderParameters;

/**
 * The tensors by which cards multiply at once (see {@code joined.py}): the rows of each are those
 * of the weights, or biases, of linear layers with the same input. With experts the weights of all
 * of them are joined.
 */
public final class JoinedTensors {
  private JoinedTensors() {}

  /** Returns for each joined tensor of the model the indices of its parameters. */
  public static List<List<Integer>> of(DecoderSpec spec) {
    int size = DecoderParameters.layer(spec, 0).size();
    List<List<Integer>> layer = ofLayer(spec);
    return IntStream.range(0, spec.layers())
        .boxed()
        .flatMap(i -> layer.stream().map(parts -> shifted(parts, 1 + i * size)))
        .toList();
  }

  private static List<Integer> shifted(List<Integer> parts, int by) {
    return parts.stream().map(part -> part + by).toList();
  }

  /** Returns the same of a layer, as indices in it. */
  static List<List<Integer>> ofLayer(DecoderSpec spec) {
    List<String> names =
        DecoderParameters.layer(spec, 0).stream()
            .map(parameter -> parameter.name().replace("model.layers.0.", ""))
            .toList();
    List<List<Integer>> joined = new ArrayList<>();
    add(joined, names, Stream.of("q", "k", "v").map("self_attn.%s_proj"::formatted).toList());
    Experts experts = spec.experts();
    if (experts == null) {
      add(joined, names, List.of("mlp.gate_proj", "mlp.up_proj"));
    } else {
      for (List<String> some : List.of(List.of("gate_proj", "up_proj"), List.of("down_proj"))) {
        List<String> all =
            IntStream.range(0, experts.count())
                .boxed()
                .flatMap(e -> some.stream().map(name -> "mlp.experts." + e + "." + name))
                .toList();
        joined.add(indices(names, all, ".weight"));
      }
    }
    return joined;
  }

  /** Adds the weights of {@code modules}, and their biases if they have any. */
  private static void add(List<List<Integer>> joined, List<String> names, List<String> modules) {
    joined.add(indices(names, modules, ".weight"));
    if (names.contains(modules.getFirst() + ".bias")) {
      joined.add(indices(names, modules, ".bias"));
    }
  }

  private static List<Integer> indices(List<String> names, List<String> modules, String end) {
    return modules.stream().map(module -> names.indexOf(module + end)).toList();
  }
}
