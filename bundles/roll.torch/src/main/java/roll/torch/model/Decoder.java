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
 * A decoder-only transformer over {@link Parameters}: token ids to hidden states, the whole model
 * in one native call. The functions are in {@code decoder.py}; they read the model's dimensions as
 * constants.
 *
 * <p>Used on the compute thread alone.
 */
public final class Decoder implements AutoCloseable {
  private final DecoderSpec spec;
  private final int positions;
  private final Kernels kernels;
  private final RotaryTable rotary;
  private final @Nullable PicturePatches patches;
  private final @Nullable VisionTower tower;

  /**
   * Compiles the model, which is given no pictures.
   *
   * @param positions longest sequence
   */
  public Decoder(Device device, DecoderSpec spec, Precision precision, int positions) {
    this(device, spec, precision, positions, (PicturePatches) null);
  }

  /**
   * Compiles the model.
   *
   * @param positions longest sequence
   * @param patches makes patches of pictures; null where there will be no pictures
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
    List<String> sources = new ArrayList<>(sources(device, spec, precision));
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

  /** The same model over the same parameters, but with its adapters off. */
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
   * The sources of a decoder and its heads, for those who compile their own functions on top: with
   * the products of {@code spec} by the faster way that {@code device} has for those in f32. Only
   * on its compute thread.
   */
  public static List<String> sources(Device device, DecoderSpec spec, Precision precision) {
    return sources(
        Kernels.source(Decoder.class, "product.py"),
        device.linear().source(linear(spec, precision)));
  }

  /** The shapes of the linear layers of {@code spec}, adapters left out, and of its token head. */
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

  /** The patch embedding of a vision tower, too, is a linear layer, of all numbers of a patch. */
  private static LinearBackends.Shape shape(DecoderSpec.Parameter parameter) {
    int rows = parameter.shape().getFirst();
    return new LinearBackends.Shape(rows, Math.toIntExact(parameter.size() / rows));
  }

  /** Those of them that are multiplied in f32 if the model computes in {@code precision}. */
  public static Set<LinearBackends.Shape> linear(DecoderSpec spec, Precision precision) {
    int f32 = Precision.of(Dtype.FP32).compute();
    if (precision.compute() == f32) {
      return linear(spec);
    }
    boolean head = precision.logits() == f32 && !spec.has(Trait.VALUE_HEAD);
    return head ? Set.of(new LinearBackends.Shape(spec.vocabulary(), spec.hidden())) : Set.of();
  }

  /**
   * The same.
   *
   * @param product the source of the function of this name, which may go on to {@code
   *     faster_product}
   * @param linear the source of {@code by_onednn}
   */
  public static List<String> sources(String product, String linear) {
    return Stream.concat(
            Stream.of(product, linear),
            Stream.of("linear.py", "decoder.py", "experts.py", "head.py", "value_head.py")
                .map(file -> Kernels.source(Decoder.class, file)))
        .toList();
  }

  /** The source of the way back through a decoder, to be compiled with {@link #sources}. */
  public static String backwardSource() {
    return Kernels.source(Decoder.class, "trained.py")
        + Kernels.source(Decoder.class, "backward.py");
  }

  /** The constants that {@link #sources} read. */
  public static Map<String, Object> constants(DecoderSpec spec, Precision precision) {
    return DecoderConstants.of(spec, precision);
  }

  /** The model's facts. */
  public DecoderSpec spec() {
    return spec;
  }

  /** The compiled functions. */
  public Kernels kernels() {
    return kernels;
  }

  /**
   * Hidden states after the last norm, of chosen positions.
   *
   * @param owner owns the result
   * @param tokens int64 [B, T], right-padded
   * @param rows int64 [N], positions as indices into the flattened [B·T]
   * @return f32 [N, hidden]
   * @throws IllegalArgumentException if the sequences are longer than the positions
   */
  public NDArray hidden(NDManager owner, Parameters parameters, NDArray tokens, NDArray rows) {
    try (NDManager scope = owner.newSubManager()) {
      TokenTensors text = TokenTensors.padded(scope, tokens, rows);
      return hidden(owner, parameters, new ModelInput(text, null));
    }
  }

  /** The same of samples that are padded or packed, with what the model sees of them. */
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
            all.bounds(),
            all.places(),
            all.features(),
            parameters.tensors(),
            all.cos(),
            all.sin())
        .singletonOrThrow();
  }

  /**
   * {@code part} of {@code batch} as the model takes it.
   *
   * @param owner owns the tensors
   * @throws UserException if it shows pictures and the model cannot see, or they do not fit into
   *     its places
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
   * What the layers are given of {@code input}.
   *
   * @param owner owns what is made for it
   * @param features of its pictures; null where it has none
   */
  public DecoderInput layers(NDManager owner, ModelInput input, @Nullable NDArray features) {
    RotaryTable table = angles(input.text().longest());
    return features == null
        ? DecoderInput.text(owner, input.text(), table)
        : DecoderInput.seeing(owner, kernels, input, features, table);
  }

  /**
   * Features of {@code pictures}, for reading alone.
   *
   * @param owner owns the result
   * @return f32 [M, hidden]
   */
  public NDArray features(NDManager owner, Parameters parameters, TowerInput pictures) {
    return tower().features(owner, VisionTower.weights(spec, parameters.tensors()), pictures);
  }

  /** The vision tower; only where there is one, and pictures may come. */
  public VisionTower tower() {
    return Objects.requireNonNull(tower, "no vision tower");
  }

  /**
   * Cosines and sines of at least {@code length} positions.
   *
   * @throws IllegalArgumentException if that is more than the positions
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
