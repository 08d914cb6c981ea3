package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;
import roll.testkit.PeftFiles;

/** Folders of adapters that ask for more, do not fit, or are not whole. */
final class PeftRefusalsTest {
  private final Path folder;
  private final PeftFiles peft;

  PeftRefusalsTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.peft = new PeftFiles(folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "LORA"                      | "IA3"           | peft_type: IA3 is not supported (allowed: LORA)
          "use_dora": false           | "use_dora": true | use_dora: true is not supported (allowed: false)
          "bias": "none"              | "bias": "all"   | bias: all is not supported (allowed: none)
          "rank_pattern": {}          | "rank_pattern": {"q_proj": 4} | rank_pattern: {q_proj=4} is not supported
          "modules_to_save": null     | "modules_to_save": ["lm_head"] | modules_to_save: [lm_head] is not supported
          "init_lora_weights": true   | "init_lora_weights": "pissa" | init_lora_weights: pissa is not supported
          "r": 2                      | "r": 0          | r: expected an integer from 1 up, found '0'
          "r": 2                      | "r": 3          | has shape [2, 8], the model needs [3, 8]
          "lora_dropout": 0.05        | "lora_dropout": 1.0 | lora_dropout: expected a number from 0 up, below 1
          "lora_alpha": 8             | "lora_alpha": "8" | lora_alpha: expected a number above 0, found '8'
          "../base"                   | "Qwen/Qwen2.5-7B" | 'Qwen/Qwen2.5-7B' is no model folder on this machine
          "../base"                   | "../adapters"   | '../adapters' is no model folder on this machine
          "../base"                   | null            | '' is no model folder on this machine
          """)
  void refusesAConfigThatAsksForMore(String good, String bad, String message) throws IOException {
    assertTrue(PeftFiles.FOREIGN.contains(good));
    Files.writeString(
        peft.adapters().resolve("adapter_config.json"), PeftFiles.FOREIGN.replace(good, bad));
    refused(peft.adapters(), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          self_attn.v_proj            | self_attn.w_proj | not an adapter of a projection of the model; did you mean 'model.layers.1.self_attn.q_proj'?
          model.layers.1.self_attn.v_proj | lm_head     | not an adapter of a projection of the model
          base_model.model.           | base_model.      | not an adapter of a projection of the model
          lora_A.weight               | lora_A.default.weight | not an adapter of a projection of the model
          v_proj.lora_B               | q_proj.lora_B    | q_proj.lora_A.weight' is missing
          [2,8]                       | [1,16]           | has shape [1, 16], the model needs [2, 8]
          """)
  void refusesTensorsThatDoNotFit(String good, String bad, String message) throws IOException {
    assertTrue(PeftFiles.HEADER.contains(good));
    peft.writeTensors(PeftFiles.HEADER.replace(good, bad));
    refused(peft.adapters(), message);
  }

  @Test
  void adaptersStandBesideOneModelOnly() {
    ModelFolder model = LlamaFolders.open(peft.adapters());
    PeftFolder more = PeftFolder.open(peft.adapters());
    String refused = userError(() -> model.with(more));
    assertTrue(refused.contains("merge them before adding others"), refused);
  }

  @Test
  void refusesWhatIsNotThere() throws IOException {
    refused(folder, "config.json: no such file");
    assertEquals(
        peft.base() + ": holds no adapters (adapter_config.json is missing)",
        userError(() -> PeftFolder.open(peft.base())));
    Path tensors = peft.adapters().resolve("adapter_model.safetensors");
    Files.move(tensors, peft.adapters().resolve("adapter_model.bin"));
    refused(peft.adapters(), "adapter_model.bin: pickle files are not read");
    Files.delete(peft.adapters().resolve("adapter_model.bin"));
    refused(peft.adapters(), "adapter_model.safetensors: is missing");
    UserException folder = assertThrows(UserException.class, () -> PeftFolder.open(tensors));
    assertEquals(tensors + ": no such adapter folder", folder.getMessage());
  }

  private void refused(Path path, String message) {
    String refused = userError(() -> LlamaFolders.open(path));
    assertTrue(refused.contains(message), refused);
    assertEquals(1, refused.lines().count());
  }
}
