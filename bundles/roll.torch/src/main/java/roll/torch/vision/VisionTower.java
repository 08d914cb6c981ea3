package roll.torch.vision;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;
import roll.api.model.VisionSpec.DeepStack;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.LinearBackends;
import roll.torch.Precision;

/**
 * A vision tower: maps patches of pictures to rows of the decoder's residual stream, in one native
 * call (see {@code vision.py}). Used only on the compute thread.
 */
public final class VisionTower implements AutoCloseable {
  /** Number of parameters of a vision tower's layer. */
  private static final int LAYER_SIZE = 12;

  private final Kernels kernels;

  /**
   * Compiles the kernels of a vision tower.
   *
   * @param linear shapes of f32 linear layers, including the tower's
   */
  public VisionTower(
      Device device, VisionSpec vision, Precision precision, Set<LinearBackends.Shape> linear) {
    this.kernels =
        Kernels.compile(
            device, constants(vision, precision), sources(vision, device.linear().source(linear)));
  }

  /**
   * Returns the sources of the tower {@code vision}, forward and backward.
   *
   * @param linear the source of {@code by_onednn}
   */
  public static List<String> sources(VisionSpec vision, String linear) {
    String parts = vision.deepStack() == null ? "vision_gated" : "vision_deep";
    return Stream.concat(
            Stream.of(linear),
            Stream.of("product", "linear", "vision", parts, "trained", "vision_backward")
                .map(name -> Kernels.source(Kernels.class, "model/" + name + ".py")))
        .toList();
  }

  /**
   * Returns the index of the tower's first parameter in {@code spec}, or the number of parameters
   * without a tower.
   */
  public static int first(DecoderSpec spec) {
    return DecoderParameters.of(spec).size() - DecoderParameters.tower(spec).size();
  }

  /**
   * Returns the parameter indices of each piece of the tower of {@code spec}: the patch embedding,
   * each layer, the merger; empty without a tower.
   */
  public static List<List<Integer>> pieces(DecoderSpec spec) {
    VisionSpec vision = spec.vision();
    if (vision == null) {
      return List.of();
    }
    int layers = first(spec) + embedding(vision);
    int merger = layers + LAYER_SIZE * vision.layers();
    List<List<Integer>> pieces = new ArrayList<>();
    pieces.add(IntStream.range(first(spec), layers).boxed().toList());
    for (int layer = layers; layer < merger; layer += LAYER_SIZE) {
      pieces.add(IntStream.range(layer, layer + LAYER_SIZE).boxed().toList());
    }
    pieces.add(IntStream.range(merger, DecoderParameters.of(spec).size()).boxed().toList());
    return pieces;
  }

  /** Number of parameters of the patch embedding, with its bias and positions, if any. */
  private static int embedding(VisionSpec vision) {
    return vision.deepStack() == null ? 1 : 3;
  }

  /**
   * Returns the tower's tensors of {@code tensors}, which are those of all parameters of {@code
   * spec}; none without a tower.
   */
  public static NDList weights(DecoderSpec spec, NDList tensors) {
    return tensors.subNDList(tensors.size() - DecoderParameters.tower(spec).size());
  }

  /** Returns the constants that the sources read. */
  public static Map<String, Object> constants(VisionSpec vision, Precision precision) {
    Map<String, Object> constants = new HashMap<>();
    constants.put("TOWER_LAYERS", vision.layers());
    constants.put("TOWER_HEADS", vision.heads());
    constants.put("SQUARE", vision.merge() * vision.merge());
    constants.put("TOWER_FIRST", embedding(vision));
    constants.put(
        "KINDS",
        IntStream.range(0, vision.layers())
            .mapToObj(layer -> kind(vision, layer))
            .collect(Collectors.joining()));
    constants.put("WIDE", 6);
    constants.put("COMPUTE", precision.compute());
    constants.put("MANY_ROWS", LinearBackends.MANY_ROWS);
    return constants;
  }

  private static String kind(VisionSpec vision, int layer) {
    DeepStack deep = vision.deepStack();
    if (deep != null && deep.layers().contains(layer)) {
      return "d";
    }
    return vision.window() == 0 || vision.fullAttention().contains(layer) ? "f" : "w";
  }

  /**
   * Returns the features of {@code pictures}, without autograd.
   *
   * @param owner owns the result
   * @param weights the tower's parameters, in the order of the specification
   * @return f32 [M, vectors · hidden size of the decoder]
   */
  public NDArray features(NDManager owner, NDList weights, TowerInput pictures) {
    return kernels
        .call(owner, "features", pictures.arguments(List.of(pictures.patches()), weights))
        .singletonOrThrow();
  }

  /**
   * Runs a recorded forward pass.
   *
   * @param owner owns the kept tensors
   * @param weights as above
   * @param checkpointing whether layers are recomputed for the backward pass
   */
  public TowerTape record(
      NDManager owner, NDList weights, TowerInput pictures, boolean checkpointing) {
    return new TowerTape(owner, kernels, weights, pictures, checkpointing);
  }

  /**
   * Runs piece {@code number} alone on {@code x}, patches or the residual stream.
   *
   * @param owner owns the result
   * @param weights of the piece
   * @return the residual stream, or the features after the last piece
   */
  public NDArray piece(
      NDManager owner, NDArray number, NDArray x, TowerInput pictures, NDList weights) {
    return kernels
        .record(owner, "one_piece", pictures.arguments(List.of(number, x), weights))
        .singletonOrThrow();
  }

  /**
   * Recomputes a piece and runs it backward.
   *
   * @param x input of the piece
   * @param by derivatives of the loss with respect to its output
   * @param gradients receives those of its weights
   * @return derivatives with respect to {@code x}; undefined for the first piece
   */
  public NDArray pieceBackward(
      NDManager owner,
      NDArray number,
      NDArray x,
      NDArray by,
      TowerInput pictures,
      NDList weights,
      NDList gradients) {
    return kernels
        .record(
            owner,
            "one_piece_backward",
            pictures.arguments(List.of(number, x, by), weights, gradients))
        .singletonOrThrow();
  }

  /** Returns the total seconds spent in each kernel. */
  public Map<String, Double> seconds() {
    return kernels.seconds();
  }

  @Override
  public void close() {
    kernels.close();
  }
}
