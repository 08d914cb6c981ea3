package roll.shell.serve;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.PictureSettings;
import roll.runtime.serving.ServedModel;
import roll.shell.http.CloseStack;
import roll.shell.http.SelfReference;
import roll.shell.run.NoticeList;

/**
 * The folders that are being served by this process, by their ports. While there is one this
 * component stays, whatever becomes of the command that began it; all end with it, that is with any
 * service they are made of.
 */
@Component(name = "roll.shell.served", service = ServedFolders.class)
public final class ServedFolders implements AutoCloseable {
  /** The option by which strategies know maximum tokens of prompt and response, where they do. */
  private static final String LENGTH = "max_model_len";

  private static final int AT_ONCE = 64;

  private final ServingKit kit;
  private final SelfReference use;
  private final Map<Integer, ServedFolder> open = new TreeMap<>();
  private boolean closed;

  /** None so far. */
  @Activate
  public ServedFolders(ComponentContext component, @Reference ServingKit kit) {
    this(kit, SelfReference.of(component));
  }

  /** The same, outside a framework too. */
  ServedFolders(ServingKit kit, SelfReference use) {
    this.kit = kit;
    this.use = use;
  }

  /**
   * What is to be served, and how.
   *
   * @param name that requests call it by
   * @param strategy id of the engine
   * @param options of the engine
   * @param length maximum tokens of prompt and response; 0 for as many as the model can
   * @param half whether linear layers compute in bfloat16
   * @param devices number of the device to compute on, or none for all cores
   * @param template as {@code --template} has it
   * @param kwargs what the template sees beside the messages
   * @param toolCalls whether calls are told as such
   * @param seed of random weights
   * @param random whether a folder without weights is a random model
   * @param maxPictures of a request, where the model sees
   * @param pictureHosts that pictures may be fetched from
   */
  record Order(
      Path folder,
      String name,
      String strategy,
      Map<String, Object> options,
      int length,
      boolean half,
      List<Integer> devices,
      String template,
      Map<String, Object> kwargs,
      boolean toolCalls,
      long seed,
      boolean random,
      int maxPictures,
      List<String> pictureHosts) {}

  /**
   * Serves {@code order} at {@code place} until the result is closed or this is.
   *
   * @param out is told what the strategy has to say
   * @throws UserException if the order or the place is wrong
   */
  ServedFolder start(Order order, ListenSettings place, PrintStream out) {
    int positions = kit.models().inspect(order.folder()).spec().maxPositions();
    if (order.length() > positions) {
      throw new UserException(
          "serve: --max-model-len: %d is more than the model supports: %d"
              .formatted(order.length(), positions));
    }
    int longest = order.length() == 0 ? positions : order.length();
    Lease<InferStrategy> lease =
        kit.plugins()
            .require("serve: --strategy", InferStrategy.class, "roll.strategy", order.strategy());
    CloseStack opening = new CloseStack();
    opening.add(use.begin());
    opening.add(lease::close);
    try {
      Tokenizer tokenizer = kit.tokenizers().load(order.folder());
      opening.add(tokenizer::close);
      ServingKit.Chat chat = kit.chat(order.template(), Path.of(order.template()), tokenizer);
      WorkerConfig worker = worker(order, lease.service());
      lease.service().notices(worker).forEach(notice -> out.println(NoticeList.line(notice)));
      InferSession session =
          lease.service().open(new SessionConfig(worker, order.seed(), 1, longest));
      opening.add(session::close);
      ServedModel model =
          new ServedModel(
              order.name(),
              tokenizer,
              session,
              chat.template(),
              chat.stops(),
              longest,
              order.toolCalls(),
              new PictureSettings(
                  kit.pictures(tokenizer), order.maxPictures(), order.pictureHosts()),
              order.kwargs());
      ServedFolder served =
          new ServedFolder(
              order.name(),
              lease,
              kit.server().start(model, place),
              place.certificate() != null,
              opening,
              this::gone);
      if (!add(served)) {
        served.close();
        throw new UserException("serve: a part of it was replaced meanwhile; try again");
      }
      served.watch();
      return served;
    } catch (Throwable e) {
      opening.close();
      throw e;
    }
  }

  private static WorkerConfig worker(Order order, InferStrategy strategy) {
    Map<String, Object> options = new LinkedHashMap<>(order.options());
    boolean knows = strategy.options().stream().anyMatch(o -> o.name().equals(LENGTH));
    if (order.length() > 0 && knows) {
      options.putIfAbsent(LENGTH, order.length());
    }
    return new WorkerConfig(
        "actor_infer",
        ModelConfig.of(order.folder(), order.half() ? Dtype.BF16 : Dtype.FP32)
            .withRandomWeights(order.random()),
        "native",
        order.strategy(),
        YamlOptions.strategy("actor_infer", options),
        new TrainingConfig(0, 0, 0.9, 0.999, 1, 1, "constant", 0, 1),
        order.devices(),
        AT_ONCE);
  }

  private synchronized boolean add(ServedFolder served) {
    open.put(served.port(), served);
    return !closed;
  }

  private synchronized void gone(ServedFolder served) {
    open.remove(served.port(), served);
  }

  /** A line for each, or that there is none. */
  synchronized String list() {
    return open.isEmpty()
        ? "nothing is being served; see serve --help"
        : open.values().stream().map(ServedFolder::line).collect(Collectors.joining("\n"));
  }

  /** Ends what is served at {@code port}. */
  String stop(int port) {
    ServedFolder served;
    synchronized (this) {
      served = open.get(port);
    }
    if (served == null) {
      throw new UserException("serve: nothing is being served at port " + port);
    }
    served.close();
    return "stopped " + served.line();
  }

  /** Ends all, and every one that is just being started. */
  @Override
  @Deactivate
  public void close() {
    List<ServedFolder> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open.values());
    }
    all.forEach(ServedFolder::close);
  }
}
