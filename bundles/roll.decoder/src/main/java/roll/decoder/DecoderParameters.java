package roll.decoder;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Initialization;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.VisionSpec;

/**
 * The parameters of a decoder: names and order of {@code state_dict()} of the {@code …ForCausalLM}
 * classes of Hugging Face transformers, with a value head those of the {@code
 * …ForTokenClassification} classes with one label, followed by those of a vision tower, if any.
 */
public final class DecoderParameters {
  private static final String LAYERS = "model.layers.";
  private static final String ROUTER = "mlp.gate";
  private static final String EXPERTS = "mlp.experts.";

  private final DecoderSpec spec;
  private final @Nullable Adapter adapter;

  /** Names, within a layer, of projections that have an adapter in some layer. */
  private final Set<String> adapted;

  private final List<Parameter> found = new ArrayList<>();
  private final List<String> projections = new ArrayList<>();

  private DecoderParameters(DecoderSpec spec) {
    this.spec = spec;
    this.adapter = spec.adapter();
    this.adapted =
        adapter == null
            ? Set.of()
            : adapter.modules().stream().map(DecoderParameters::last).collect(Collectors.toSet());
  }

  /** Returns the name of a projection without layer and expert. */
  private static String last(String module) {
    return module.substring(module.lastIndexOf('.') + 1);
  }

  /**
   * Returns every parameter of {@code spec} with its shape, with names and order of Hugging Face's
   * state dict. Adapters follow their projection, in the same way in every layer and expert: if
   * only some layers have an adapter, the others have one of rank 0. A tower has none.
   */
  public static List<Parameter> of(DecoderSpec spec) {
    DecoderParameters parameters = new DecoderParameters(spec);
    parameters.weight("model.embed_tokens", spec.vocabulary(), spec.hidden());
    for (int i = 0; i < spec.layers(); i++) {
      parameters.addLayer(i);
    }
    parameters.norm("model.norm", spec.hidden());
    parameters.addHead();
    Adapter adapter = spec.adapter();
    if (adapter != null && !Set.copyOf(parameters.projections).containsAll(adapter.modules())) {
      throw new IllegalArgumentException("no projections of this model: " + adapter.modules());
    }
    parameters.found.addAll(tower(spec));
    return List.copyOf(parameters.found);
  }

  /** Returns the parameters of the vision tower, the last of {@link #of}; empty without a tower. */
  public static List<Parameter> tower(DecoderSpec spec) {
    VisionSpec vision = spec.vision();
    return vision == null ? List.of() : VisionParameters.of(vision, spec.hidden());
  }

  /** Returns the parameters of layer {@code index}, a part of {@link #of}. */
  public static List<Parameter> layer(DecoderSpec spec, int index) {
    DecoderParameters parameters = new DecoderParameters(spec);
    parameters.addLayer(index);
    return List.copyOf(parameters.found);
  }

  /** Returns the parameters of the head, the last of the decoder's own; empty if it is tied. */
  public static List<Parameter> head(DecoderSpec spec) {
    DecoderParameters parameters = new DecoderParameters(spec);
    parameters.addHead();
    return List.copyOf(parameters.found);
  }

  /** Returns the number of weights of the decoder. */
  public static long size(DecoderSpec spec) {
    return of(spec).stream().mapToLong(Parameter::size).sum();
  }

  /** Returns the number of active weights for a token: of the experts only the chosen ones. */
  public static long active(DecoderSpec spec) {
    Experts experts = spec.experts();
    if (experts == null) {
      return size(spec);
    }
    long all =
        layer(spec, 0).stream()
            .filter(parameter -> parameter.name().contains(EXPERTS))
            .mapToLong(Parameter::size)
            .sum();
    return size(spec) - spec.layers() * (all - all / experts.count() * experts.chosen());
  }

  /**
   * Returns whether {@code parameter} of a layer is the weight of a linear layer in the model's
   * number format, which may be quantized: no norm, bias, adapter, or router.
   */
  public static boolean multiplies(Parameter parameter) {
    return parameter.shape().size() == 2
        && !parameter.adapts()
        && !parameter.name().endsWith(ROUTER + ".weight");
  }

  /**
   * Returns whether {@code parameter} of a model is a matrix of a decoder layer: no embedding,
   * head, norm, bias, router, or adapter, and not of a vision tower.
   */
  public static boolean hidden(Parameter parameter) {
    return parameter.name().startsWith(LAYERS) && multiplies(parameter);
  }

  /** Returns the names of the projections of all layers, the modules that may have an adapter. */
  public static List<String> projections(DecoderSpec spec) {
    DecoderParameters parameters = new DecoderParameters(spec);
    for (int i = 0; i < spec.layers(); i++) {
      parameters.addLayer(i);
    }
    return List.copyOf(parameters.projections);
  }

  private void addHead() {
    if (spec.has(Trait.VALUE_HEAD)) {
      linear("score", 1, spec.hidden(), true);
    } else if (!spec.has(Trait.TIED_HEAD)) {
      weight("lm_head", spec.vocabulary(), spec.hidden());
    }
  }

  private void addLayer(int index) {
    String layer = LAYERS + index + ".";
    String attention = layer + "self_attn.";
    int queries = spec.attention().queries();
    int keys = spec.attention().keys();
    boolean biased = spec.has(Trait.QUERY_KEY_VALUE_BIAS);
    linear(attention + "q_proj", queries, spec.hidden(), biased);
    linear(attention + "k_proj", keys, spec.hidden(), biased);
    linear(attention + "v_proj", keys, spec.hidden(), biased);
    linear(attention + "o_proj", spec.hidden(), queries, spec.has(Trait.OUTPUT_BIAS));
    if (spec.has(Trait.QUERY_KEY_NORM)) {
      norm(attention + "q_norm", spec.attention().headSize());
      norm(attention + "k_norm", spec.attention().headSize());
    }
    Experts experts = spec.experts();
    if (experts == null) {
      addFeedForward(layer + "mlp.");
    } else {
      weight(layer + ROUTER, experts.count(), spec.hidden());
      for (int i = 0; i < experts.count(); i++) {
        addFeedForward(layer + EXPERTS + i + ".");
      }
    }
    norm(layer + "input_layernorm", spec.hidden());
    norm(layer + "post_attention_layernorm", spec.hidden());
  }

  private void addFeedForward(String module) {
    boolean biased = spec.has(Trait.FEED_FORWARD_BIAS);
    linear(module + "gate_proj", spec.intermediate(), spec.hidden(), biased);
    linear(module + "up_proj", spec.intermediate(), spec.hidden(), biased);
    linear(module + "down_proj", spec.hidden(), spec.intermediate(), biased);
  }

  private void linear(String name, int rows, int columns, boolean biased) {
    projections.add(name);
    weight(name, rows, columns);
    if (biased) {
      found.add(new Parameter(name + ".bias", List.of(rows), Initialization.ZEROS));
    }
    if (adapter != null && adapted.contains(last(name))) {
      int rank = adapter.modules().contains(name) ? adapter.rank() : 0;
      found.add(new Parameter(name + Adapter.A, List.of(rank, columns), Initialization.UNIFORM));
      found.add(new Parameter(name + Adapter.B, List.of(rows, rank), Initialization.ZEROS));
    }
  }

  private void weight(String name, int rows, int columns) {
    found.add(new Parameter(name + ".weight", List.of(rows, columns), Initialization.NORMAL));
  }

  private void norm(String name, int size) {
    boolean offset = spec.has(Trait.NORM_OFFSET);
    Initialization start = offset ? Initialization.ZEROS : Initialization.ONES;
    found.add(new Parameter(name + ".weight", List.of(size), start));
  }
}
