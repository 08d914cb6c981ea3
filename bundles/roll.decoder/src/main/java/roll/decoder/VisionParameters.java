package roll.decoder;

import java.util.ArrayList;
import java.util.List;
import roll.api.model.DecoderSpec.Initialization;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.VisionSpec;

/**
 * The parameters of a vision tower: names, shapes and order of {@code visual} in {@code
 * state_dict()} of Hugging Face's {@code Qwen2_5_VLForConditionalGeneration}.
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
    int side = vision.patch();
    parameters.found.add(
        new Parameter(
            "visual.patch_embed.proj.weight",
            List.of(vision.hidden(), vision.channels(), vision.frames(), side, side),
            Initialization.NORMAL));
    for (int i = 0; i < vision.layers(); i++) {
      parameters.addLayer("visual.blocks." + i + ".", vision.hidden(), vision.intermediate());
    }
    int merged = vision.hidden() * vision.merge() * vision.merge();
    parameters.norm("visual.merger.ln_q", vision.hidden());
    parameters.linear("visual.merger.mlp.0", merged, merged);
    parameters.linear("visual.merger.mlp.2", out, merged);
    return List.copyOf(parameters.found);
  }

  private void addLayer(String layer, int hidden, int intermediate) {
    norm(layer + "norm1", hidden);
    norm(layer + "norm2", hidden);
    linear(layer + "attn.qkv", 3 * hidden, hidden);
    linear(layer + "attn.proj", hidden, hidden);
    linear(layer + "mlp.gate_proj", intermediate, hidden);
    linear(layer + "mlp.up_proj", intermediate, hidden);
    linear(layer + "mlp.down_proj", hidden, intermediate);
  }

  private void linear(String name, int rows, int columns) {
    found.add(new Parameter(name + ".weight", List.of(rows, columns), Initialization.NORMAL));
    found.add(new Parameter(name + ".bias", List.of(rows), Initialization.ZEROS));
  }

  private void norm(String name, int size) {
    found.add(new Parameter(name + ".weight", List.of(size), Initialization.ONES));
  }
}
