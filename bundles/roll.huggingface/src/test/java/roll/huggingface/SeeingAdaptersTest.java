package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.testkit.PeftFiles;
import roll.testkit.SmallVisionDecoder;

/** Adapters of models that see: of their decoder, by either name; none of the tower. */
final class SeeingAdaptersTest {
  private static final String MODULE = "model.layers.1.self_attn.v_proj";

  private final Path folder;
  private final PeftFiles peft;
  private final DecoderSpec seeing;

  SeeingAdaptersTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.peft = new PeftFiles(folder);
    this.seeing = LlamaFolders.open(peft.base()).spec().seeing(SmallVisionDecoder.TOWER);
  }

  private Adapter read(String header) throws IOException {
    peft.writeTensors(header);
    return PeftFolder.open(peft.adapters()).adapter(seeing);
  }

  @Test
  void bothNamesAreRead() throws IOException {
    assertEquals(Set.of(MODULE), read(PeftFiles.HEADER).modules());
    String newer = PeftFiles.HEADER.replace("model.layers", "model.language_model.layers");
    assertEquals(Set.of(MODULE), read(newer).modules());
    try (Safetensors files = PeftFolder.open(peft.adapters()).files()) {
      DecoderSpec.Parameter a =
          new DecoderSpec.Parameter(
              MODULE + Adapter.A, List.of(2, 8), DecoderSpec.Initialization.UNIFORM);
      assertEquals(List.of(2L, 8L), PeftFolder.require(files, seeing, a).shape());
    }
  }

  @Test
  void adaptersOfTheTowerAreRefused() {
    String tower =
        PeftFiles.HEADER.replace("model.layers.1.self_attn.v_proj", "visual.blocks.0.attn.qkv");
    String refusal = userError(() -> read(tower));
    assertTrue(
        refusal.endsWith(
            "tensor 'base_model.model.visual.blocks.0.attn.qkv.lora_A.weight' is an adapter of"
                + " the vision tower; only adapters of the decoder are supported"),
        refusal);
  }

  /** Projections that the tower has too are named with their layers. */
  @Test
  void targetsDoNotMeanTheTower() throws IOException {
    Set<String> modules = Set.of("model.layers.0.mlp.up_proj", "model.layers.1.mlp.up_proj");
    DecoderSpec adapted = seeing.with(new Adapter(2, 4, false, 0, modules));
    Path written = Files.createDirectory(folder.resolve("written"));
    PeftFolder.write(written, adapted, List.of(), "../base");
    String config = Files.readString(written.resolve("adapter_config.json"));
    assertTrue(
        config.contains("\"layers.0.mlp.up_proj\",\n    \"layers.1.mlp.up_proj\"\n"), config);
  }
}
