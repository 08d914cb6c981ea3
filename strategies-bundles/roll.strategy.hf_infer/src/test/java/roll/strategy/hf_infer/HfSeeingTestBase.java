package roll.strategy.hf_infer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.WeightsHandle;
import roll.huggingface.HuggingFaceTokenizers;
import roll.image.FolderImageProcessors;
import roll.model.qwen2_5_vl.Qwen25VlFamily;
import roll.model.qwen3_vl.Qwen3VlFamily;
import roll.testkit.QwenVlStrategyContract;
import roll.torch.Device;
import roll.torch.model.Models;
import roll.torch.model.Parameters;

/** Prompts with pictures, whose blocks are so small that pictures are alone in them. */
abstract class HfSeeingTestBase extends QwenVlStrategyContract {
  private final Device device = Stories.DEVICES.whole();
  private final HuggingFaceTokenizers tokenizers = new HuggingFaceTokenizers(Stories.DEVICES);
  private final Models models = new Models(Stories.DEVICES, tokenizers);

  HfSeeingTestBase(Path folder, boolean deep) throws IOException {
    super(folder.resolve("model"), deep);
    models.setImageProcessors(new FolderImageProcessors());
    models.add(new Qwen25VlFamily(), Map.of("roll.model", new String[] {"qwen2_5_vl"}));
    models.add(new Qwen3VlFamily(), Map.of("roll.model", new String[] {"qwen3_vl"}));
  }

  @Override
  protected InferStrategy inference() {
    return new HfInferStrategy(models, tokenizers);
  }

  @Override
  protected Map<String, Object> options() {
    return Map.of("prefill_block_tokens", 16);
  }

  @Override
  protected Parameters weights(long seed) {
    return device.call(() -> models.read(device, models.folder(model()), seed));
  }

  @Override
  protected void release(WeightsHandle weights) {
    device.call(
        () -> {
          ((Parameters) weights).close();
          return true;
        });
  }
}
