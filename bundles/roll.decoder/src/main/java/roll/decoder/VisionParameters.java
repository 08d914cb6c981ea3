package roll.decoder;

import java.util.ArrayList;
import java.util.List;
import roll.api.model.DecoderSpec.Initialization;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.VisionSpec;
import roll.api.model.VisionSpec.DeepStack;

/**
 * The parameters of a vision tower: names, shapes and order of {@code visual} in {@code
 * state_dict()} of Hugging Face's {@code Qwen2_5_VLForConditionalGeneration} or {@code
 * Qwen3VLForConditionalGeneration}.
 */
final class VisionParameters {
  private final List<Parameter> found = new ArrayList<>();

  private VisionParameters() {}

  /**
   * Returns the parameters of the patch embedding, the layers and the merger.
   *
   * @param out hidden size of the decoder
   */
  static List<Parameter> of(VisionSpec vision, int out) {
    VisionParameters parameters = new VisionParameters();
    DeepStack deep = vision.deepStack();
    if (deep == null) {
      parameters.addGated(vision, out);
    } else {
      parameters.addDeep(vision, deep, out);
    }
    return List.copyOf(parameters.found);
  }

  private void addPatches(VisionSpec vision) {
    int side = vision.patch();
    found.add(
        new Parameter(
            "visual.patch_embed.proj.weight",
            List.of(vision.hidden(), vision.channels(), vision.frames(), side, side),
            Initialization.NORMAL));
  }

  private void addGated(VisionSpec vision, int out) {
    int hidden = vision.hidden();
    addPatches(vision);
    for (int i = 0; i < vision.layers(); i++) {
      String layer = "visual.blocks." + i + ".";
      norm(layer + "norm1", hidden);
      norm(layer + "norm2", hidden);
      addAttention(layer, hidden);
      linear(layer + "mlp.gate_proj", vision.intermediate(), hidden);
      linear(layer + "mlp.up_proj", vision.intermediate(), hidden);
      linear(layer + "mlp.down_proj", hidden, vision.intermediate());
    }
    int merged = hidden * vision.merge() * vision.merge();
    norm("visual.merger.ln_q", hidden);
    linear("visual.merger.mlp.0", merged, merged);
    linear("visual.merger.mlp.2", out, merged);
  }

  private void addDeep(VisionSpec vision, DeepStack deep, int out) {
    int hidden = vision.hidden();
    addPatches(vision);
    bias("visual.patch_embed.proj", hidden);
    int positions = deep.side() * deep.side();
    weight("visual.pos_embed", positions, hidden);
    for (int i = 0; i < vision.layers(); i++) {
      String layer = "visual.blocks." + i + ".";
      layerNorm(layer + "norm1", hidden);
      layerNorm(layer + "norm2", hidden);
      addAttention(layer, hidden);
      linear(layer + "mlp.linear_fc1", vision.intermediate(), hidden);
      linear(layer + "mlp.linear_fc2", hidden, vision.intermediate());
    }
    int merged = hidden * vision.merge() * vision.merge();
    addMerger("visual.merger.", hidden, merged, out);
    for (int i = 0; i < deep.layers().size(); i++) {
      addMerger("visual.deepstack_merger_list." + i + ".", merged, merged, out);
    }
  }

  private void addAttention(String layer, int hidden) {
    linear(layer + "attn.qkv", 3 * hidden, hidden);
    linear(layer + "attn.proj", hidden, hidden);
  }

  private void addMerger(String merger, int normed, int merged, int out) {
    layerNorm(merger + "norm", normed);
    linear(merger + "linear_fc1", merged, merged);
    linear(merger + "linear_fc2", out, merged);
  }

  private void linear(String name, int rows, int columns) {
    weight(name, rows, columns);
    bias(name, rows);
  }

  private void layerNorm(String name, int size) {
    norm(name, size);
    bias(name, size);
  }

  private void weight(String name, int rows, int columns) {
    found.add(new Parameter(name + ".weight", List.of(rows, columns), Initialization.NORMAL));
  }

  private void bias(String name, int size) {
    found.add(new Parameter(name + ".bias", List.of(size), Initialization.ZEROS));
  }

  private void norm(String name, int size) {
    found.add(new Parameter(name + ".weight", List.of(size), Initialization.ONES));
  }
}
