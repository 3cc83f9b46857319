package dev.sweep.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** All contenders that there are here. */
public final class Contenders {

    private Contenders() {}

    /** Ours first, then what others bring. */
    public static List<Contender> all() {
        List<Contender> all = new ArrayList<>(List.of(new SweepContender(), new ClassicLoop(), new BestLoop()));
        ServiceLoader.load(Contender.class).forEach(all::add);
        return all;
    }

    /** The one of that name. */
    public static Contender named(String name) {
        return all().stream()
                .filter(contender -> contender.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("contender '" + name + "' is unknown; known are "
                        + all().stream().map(Contender::name).collect(Collectors.joining(", "))));
    }
}
