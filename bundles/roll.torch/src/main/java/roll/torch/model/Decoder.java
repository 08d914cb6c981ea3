package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.VisionSpec;
import roll.api.option.UserException;
import roll.api.strategy.TokenBatch;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.LinearBackends;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.TokenTensors;
import roll.torch.vision.PicturePatches;
import roll.torch.vision.TowerInput;
import roll.torch.vision.VisionInput;
import roll.torch.vision.VisionTower;

/**
 * A decoder-only transformer over {@link Parameters}: maps token ids to hidden states, the whole
 * model in one native call. The functions are in {@code decoder.py}, with the model's dimensions as
 * constants.
 *
 * <p>Used only on the compute thread.
 */
public final class Decoder implements AutoCloseable {
  private final DecoderSpec spec;
  private final int positions;
  private final Kernels kernels;
  private final RotaryTable rotary;
  private final @Nullable PicturePatches patches;
  private final @Nullable VisionTower tower;

  /**
   * Compiles a model without pictures.
   *
   * @param positions maximum sequence length
   */
  public Decoder(Device device, DecoderSpec spec, Precision precision, int positions) {
    this(device, spec, precision, positions, (PicturePatches) null);
  }

  /**
   * Compiles the kernels of a decoder.
   *
   * @param positions maximum sequence length
   * @param patches patches of pictures; null if there are no pictures
   */
  public Decoder(
      Device device,
      DecoderSpec spec,
      Precision precision,
      int positions,
      @Nullable PicturePatches patches) {
    this(device, spec, precision, positions, constants(spec, precision), patches);
  }

  private Decoder(
      Device device,
      DecoderSpec spec,
      Precision precision,
      int positions,
      Map<String, Object> constants,
      @Nullable PicturePatches patches) {
    this.spec = spec;
    this.positions = positions;
    List<String> sources =
        new ArrayList<>(
            sources(device, spec, precision, Kernels.source(Decoder.class, "product.py"), true));
    sources.add(backwardSource());
    this.kernels = Kernels.compile(device, constants, sources);
    this.rotary = new RotaryTable(device, spec);
    VisionSpec vision = spec.vision();
    this.patches = patches;
    this.tower =
        vision == null || patches == null
            ? null
            : new VisionTower(device, vision, precision, linear(spec, precision));
  }

  /** Compiles the same model with its adapters switched off. */
  public static Decoder withoutAdapters(
      Device device,
      DecoderSpec spec,
      Precision precision,
      int positions,
      @Nullable PicturePatches patches) {
    Map<String, Object> constants = constants(spec, precision);
    constants.replaceAll((name, value) -> name.endsWith("_A") ? -1 : value);
    return new Decoder(device, spec, precision, positions, constants, patches);
  }

  /**
   * Returns the sources of a decoder and its heads, for callers that compile further functions with
   * them. f32 products of {@code spec} use the faster backend of {@code device}. Only on its
   * compute thread.
   */
  public static List<String> sources(Device device, DecoderSpec spec, Precision precision) {
    return sources(device, spec, precision, Kernels.source(Decoder.class, "product.py"));
  }

  /**
   * Returns the same with the given {@code product}, unless {@code precision} requires its own.
   *
   * @param product the source of the function of this name, which may call {@code faster_product}
   * @throws UserException if {@code precision} is batch-invariant and this model or device cannot
   *     be
   */
  public static List<String> sources(
      Device device, DecoderSpec spec, Precision precision, String product) {
    return sources(device, spec, precision, product, false);
  }

  /** Returns the same for tensors that may be {@link Parameters#join joined}. */
  static List<String> sources(
      Device device, DecoderSpec spec, Precision precision, String product, boolean joined) {
    if (!precision.batchInvariant()) {
      return sources(
          product,
          device.linear().source(linear(spec, precision)),
          DeviceTexts.of(device, spec, precision, joined));
    }
    checkInvariant(device, spec);
    return sources(
        Kernels.source(Decoder.class, "invariant_product.py"), LinearBackends.libtorchOnly());
  }

  private static void checkInvariant(Device device, DecoderSpec spec) {
    boolean plain = spec.experts() == null && spec.vision() == null && spec.adapter() == null;
    if (device.accelerated() || !plain) {
      throw new UserException(
          "batch_invariant: expected false, found 'true': only for models without experts, vision"
              + " and adapters, on CPU cores");
    }
  }

  /**
   * Returns the shapes of the linear layers of {@code spec}, without adapters, and of its token
   * head.
   */
  public static Set<LinearBackends.Shape> linear(DecoderSpec spec) {
    boolean embeds = spec.has(Trait.TIED_HEAD) && !spec.has(Trait.VALUE_HEAD);
    Set<LinearBackends.Shape> shapes = new LinkedHashSet<>();
    DecoderParameters.of(spec).stream()
        .skip(embeds ? 0 : 1)
        .filter(parameter -> parameter.shape().size() >= 2 && !parameter.adapts())
        .filter(parameter -> parameter.shape().get(0) > 1)
        .forEach(parameter -> shapes.add(shape(parameter)));
    return shapes;
  }

  /**
   * Returns the shape of a layer; a vision tower's patch embedding is a linear layer over all
   * numbers of a patch.
   */
  private static LinearBackends.Shape shape(DecoderSpec.Parameter parameter) {
    int rows = parameter.shape().getFirst();
    return new LinearBackends.Shape(rows, Math.toIntExact(parameter.size() / rows));
  }

  /**
   * Returns the shapes of {@link #linear(DecoderSpec)} that are computed in f32 with {@code
   * precision}; none if it is batch-invariant, which has one backend.
   */
  public static Set<LinearBackends.Shape> linear(DecoderSpec spec, Precision precision) {
    if (precision.batchInvariant()) {
      return Set.of();
    }
    int f32 = Precision.of(Dtype.FP32).compute();
    if (precision.compute() == f32) {
      return linear(spec);
    }
    boolean head = precision.logits() == f32 && !spec.has(Trait.VALUE_HEAD);
    return head ? Set.of(new LinearBackends.Shape(spec.vocabulary(), spec.hidden())) : Set.of();
  }

  /**
   * Returns the sources for processors, of which {@code linear} is the one of {@code by_onednn}.
   */
  public static List<String> sources(String product, String linear) {
    return sources(product, linear, DeviceTexts.processor());
  }

  /**
   * Returns the TorchScript sources of a decoder and its heads.
   *
   * @param product the source of the function of this name, which may call {@code faster_product}
   * @param linear the source of {@code by_onednn}
   * @param texts of what devices compute differently
   */
  public static List<String> sources(String product, String linear, DeviceTexts texts) {
    return Stream.concat(
            Stream.concat(Stream.of(product, linear), texts.sources().stream()),
            Stream.of(
                    "linear.py",
                    "invariant.py",
                    "decoder.py",
                    "router.py",
                    "head.py",
                    "value_head.py")
                .map(file -> Kernels.source(Decoder.class, file)))
        .toList();
  }

  /** Returns the source of a decoder's backward pass, to be compiled with {@link #sources}. */
  public static String backwardSource() {
    return Kernels.source(Decoder.class, "trained.py")
        + Kernels.source(Decoder.class, "backward.py");
  }

  /** Returns the constants that {@link #sources} read. */
  public static Map<String, Object> constants(DecoderSpec spec, Precision precision) {
    return DecoderConstants.of(spec, precision);
  }

  /** Returns the specification of the model. */
  public DecoderSpec spec() {
    return spec;
  }

  /** Returns the compiled functions of the decoder. */
  public Kernels kernels() {
    return kernels;
  }

  /**
   * Returns the hidden states after the last norm at chosen positions.
   *
   * @param owner owns the result
   * @param tokens int64 [B, T], right-padded
   * @param rows int64 [N], indices into the flattened [B·T]
   * @return f32 [N, hidden]
   * @throws IllegalArgumentException if a sequence is longer than the maximum length
   */
  public NDArray hidden(NDManager owner, Parameters parameters, NDArray tokens, NDArray rows) {
    try (NDManager scope = owner.newSubManager()) {
      TokenTensors text = TokenTensors.padded(scope, tokens, rows);
      return hidden(owner, parameters, new ModelInput(text, null));
    }
  }

  /** Returns the hidden states of padded or packed samples, with their pictures. */
  NDArray hidden(NDManager owner, Parameters parameters, ModelInput input) {
    VisionInput seen = input.seen();
    DecoderInput all =
        layers(owner, input, seen == null ? null : features(owner, parameters, seen.pictures()));
    return kernels
        .call(
            owner,
            "hidden",
            all.tokens(),
            all.rows(),
            all.segments(),
            all.places(),
            all.features(),
            parameters.layered(),
            all.cos(),
            all.sin())
        .singletonOrThrow();
  }

  /**
   * Returns {@code part} of {@code batch} as the model's input.
   *
   * @param owner owns the tensors
   * @throws UserException if it has pictures and the model has no vision, or pictures and
   *     placeholders do not match
   */
  public ModelInput input(NDManager owner, TokenBatch batch, MicroBatch part) {
    TokenTensors text = TokenTensors.of(owner, part);
    VisionSpec vision = spec.vision();
    for (int sample : part.samples()) {
      if (!batch.pictures(sample).isEmpty()) {
        if (vision == null || patches == null) {
          throw new UserException(
              "sample %d shows a picture, but a model of type %s cannot see"
                  .formatted(sample, spec.modelType()));
        }
        return new ModelInput(text, VisionInput.of(owner, batch, part, vision, patches));
      }
    }
    return new ModelInput(text, null);
  }

  /**
   * Returns the inputs of the layers for {@code input}.
   *
   * @param owner owns new tensors
   * @param features of its pictures; null if it has none
   */
  public DecoderInput layers(NDManager owner, ModelInput input, @Nullable NDArray features) {
    RotaryTable table = angles(input.text().longest());
    return features == null
        ? DecoderInput.text(owner, input.text(), table)
        : DecoderInput.seeing(owner, kernels, input, features, table);
  }

  /**
   * Returns the features of {@code pictures}, without autograd.
   *
   * @param owner owns the result
   * @return f32 [M, vectors · hidden]
   */
  public NDArray features(NDManager owner, Parameters parameters, TowerInput pictures) {
    return tower().features(owner, VisionTower.weights(spec, parameters.tensors()), pictures);
  }

  /** Returns the vision tower; only for models with vision that were compiled with patches. */
  public VisionTower tower() {
    return Objects.requireNonNull(tower, "no vision tower");
  }

  /**
   * Returns cosines and sines of at least {@code length} positions.
   *
   * @throws IllegalArgumentException if that is more than the maximum length
   */
  public RotaryTable angles(int length) {
    if (length > positions) {
      throw new IllegalArgumentException(length + " tokens, but only " + positions + " positions");
    }
    rotary.reach(length);
    return rotary;
  }

  @Override
  public void close() {
    kernels.close();
    rotary.close();
    if (tower != null) {
      tower.close();
    }
  }
}
