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
import roll.shell.http.ComponentKeepAlive;
import roll.shell.run.NoticeList;

/**
 * The running servers of this process by port. The component stays active while there is one, even
 * if the command that started it is replaced; all servers stop when the component is deactivated.
 */
@Component(name = "roll.shell.served", service = RunningServers.class)
public final class RunningServers implements AutoCloseable {
  /** The strategies' option for the maximum tokens of prompt and response. */
  private static final String LENGTH = "max_model_len";

  private static final int MAX_SEQUENCES = 64;

  private final ServingServices kit;
  private final ComponentKeepAlive use;
  private final Map<Integer, RunningServer> open = new TreeMap<>();
  private boolean closed;

  /** Creates the registry of running servers, without servers. */
  @Activate
  public RunningServers(ComponentContext component, @Reference ServingServices kit) {
    this(kit, ComponentKeepAlive.of(component));
  }

  /** For use outside a framework too. */
  RunningServers(ServingServices kit, ComponentKeepAlive use) {
    this.kit = kit;
    this.use = use;
  }

  /**
   * The model to serve and its settings.
   *
   * @param name of the model in requests
   * @param strategy id of the inference strategy
   * @param options of the strategy
   * @param length maximum tokens of prompt and response; 0 for the model's maximum
   * @param half whether linear layers compute in bfloat16
   * @param devices device to compute on; empty for all cores
   * @param template value of {@code --template}
   * @param kwargs default variables of the template
   * @param toolCalls whether tool calls in responses are parsed
   * @param seed of random weights
   * @param random whether to use random weights if the folder has none
   * @param maxPictures maximum pictures per request
   * @param pictureHosts hosts that pictures may be fetched from
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
   * Serves {@code order} at {@code place} until the result or this object is closed.
   *
   * @param out for notices of the strategy
   * @throws UserException if the order or the place is invalid
   */
  RunningServer start(Order order, ListenSettings place, PrintStream out) {
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
      ServingServices.Chat chat = kit.chat(order.template(), Path.of(order.template()), tokenizer);
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
      RunningServer served =
          new RunningServer(
              order.name(),
              lease,
              kit.server().start(model, place),
              place.certificate() != null,
              opening,
              this::gone);
      if (!add(served)) {
        served.close();
        throw new UserException("serve: a bundle that it uses was replaced meanwhile; try again");
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
        TrainingConfig.NONE,
        order.devices(),
        MAX_SEQUENCES);
  }

  private synchronized boolean add(RunningServer served) {
    open.put(served.port(), served);
    return !closed;
  }

  private synchronized void gone(RunningServer served) {
    open.remove(served.port(), served);
  }

  /** Returns a line for each server, or a line that there is none. */
  synchronized String list() {
    return open.isEmpty()
        ? "no server is running; see serve --help"
        : open.values().stream().map(RunningServer::line).collect(Collectors.joining("\n"));
  }

  /** Stops the model server on {@code port}. */
  String stop(int port) {
    RunningServer served;
    synchronized (this) {
      served = open.get(port);
    }
    if (served == null) {
      throw new UserException("serve: no server is running on port " + port);
    }
    served.close();
    return "stopped " + served.line();
  }

  /** Stops all servers, including those that are being started. */
  @Override
  @Deactivate
  public void close() {
    List<RunningServer> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open.values());
    }
    all.forEach(RunningServer::close);
  }
}
