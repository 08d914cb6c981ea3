package roll.serve;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.model.ChatTemplate;
import roll.api.model.Tokenizer;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.huggingface.HuggingFaceTokenizers;
import roll.model.qwen2.Qwen2Family;
import roll.runtime.option.YamlOptions;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.ServedModel;
import roll.runtime.serving.Serving;
import roll.strategy.vllm.VllmStrategy;
import roll.template.FolderChatTemplates;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;

/** The random model that plays FrozenLake, served as {@code lake} by the real engine. */
final class TinyServer implements AutoCloseable {
  static final int LONGEST = 256;
  private static final Path FOLDER =
      Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");

  private final Devices devices = Devices.on(Device.cpu(1));
  private final HuggingFaceTokenizers tokenizers = new HuggingFaceTokenizers(devices);
  private final Models models = new Models(devices, tokenizers);
  private final Serving serving;
  final Tokenizer tokenizer = tokenizers.load(FOLDER);
  final ChatTemplate template = new FolderChatTemplates().load(FOLDER, Clock.systemUTC());
  final InferSession session;
  final OpenAiClient client;

  /** Starts a server with at most {@code requests} concurrent requests. */
  TinyServer(int requests) {
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
    ModelConfig model = ModelConfig.of(FOLDER, WorkerConfig.Dtype.FP32);
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            model,
            "native",
            "vllm",
            YamlOptions.strategy("actor_infer", Map.of()),
            TrainingConfig.NONE,
            List.of(),
            64);
    session = new VllmStrategy(models, tokenizers).open(new SessionConfig(worker, 1, 1.0, LONGEST));
    ServedModel served =
        new ServedModel(
            "lake", tokenizer, session, template, tokenizer.stopTokens(), LONGEST, true);
    serving =
        AllDialects.server()
            .start(served, new ListenSettings(InetAddress.getLoopbackAddress(), 0, null, requests));
    client = new OpenAiClient(port(), null);
  }

  int port() {
    return serving.address().getPort();
  }

  @Override
  public void close() {
    client.close();
    serving.close();
    session.close();
    tokenizer.close();
    devices.close();
  }
}
